/**
 * Every error a caller can meet: its code, HTTP status, title (RFC 9457) and what to do about it. The OpenAPI document and the README
 * are made from this table; a code that is not in it cannot be raised.
 */
export const ERRORS = {
  malformed: {
    status: 400,
    title: 'The request cannot be read',
    remedy: 'Send JSON in UTF-8 that can be read, with a known address and method.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid token is needed',
    remedy: 'Send `Authorization: Bearer` with a token that is signed, meant for this service and not expired.',
  },
  forbidden: {
    status: 403,
    title: 'The caller lacks the permission',
    remedy: 'The permission that is missing stands in `detail`; a new token with it is needed.',
  },
  not_found: {
    status: 404,
    title: 'Nothing is here',
    remedy: 'Check the id. What another school has, or the caller may not see, is not there either.',
  },
  invalid_transition: {
    status: 409,
    title: 'The event is not in a state that allows this',
    remedy: '`allowed_actions` says what is possible now. Use an Idempotency-Key to repeat a request safely.',
  },
  event_not_editable: {
    status: 409,
    title: 'An event in this state cannot be edited',
    remedy: 'An event that runs, is completed or cancelled stays as it is; duplicate it instead.',
  },
  event_not_published: {
    status: 409,
    title: 'The event is not published',
    remedy: 'Registration opens when the event is published.',
  },
  registration_not_available: {
    status: 409,
    title: 'The event takes no registrations',
    remedy: 'The event is open to all: nobody needs to register.',
  },
  registration_closed: {
    status: 409,
    title: 'The registration deadline has passed',
    remedy: 'Ask the organizer; those who manage registrations can move the deadline.',
  },
  event_full: {
    status: 409,
    title: 'The event is full',
    remedy:
      'Where `waitlist_enabled` is true, `waitlist: true` joins the waitlist. Else try again when a place is free.',
  },
  already_registered: {
    status: 409,
    title: 'This person is already registered',
    remedy: 'The registration is there: `registrations/mine` shows it.',
  },
  capacity_below_occupied: {
    status: 409,
    title: 'More seats are taken than the new capacity',
    remedy: 'Cancel registrations first, or choose a capacity of at least the seats taken.',
  },
  registration_not_active: {
    status: 409,
    title: 'The registration is no longer active',
    remedy: 'It was cancelled; register again.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'The first request with this key is still running',
    remedy: 'Ask again with the same key in a moment.',
  },
  stale: {
    status: 412,
    title: 'The event has changed since it was read',
    remedy: 'Read the event again and repeat with its new ETag.',
  },
  too_large: { status: 413, title: 'The body is too large', remedy: 'Send less at once.' },
  unsupported_media_type: {
    status: 415,
    title: 'This content type is not accepted',
    remedy: 'Send `content-type: application/json`, or what the route names.',
  },
  validation_failed: {
    status: 422,
    title: 'Some fields break a rule',
    remedy: '`errors` names every faulty field by its JSON pointer.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key was used for another request',
    remedy: 'Use a new key for every new request.',
  },
  rate_limited: { status: 429, title: 'Too many requests', remedy: 'Wait for the seconds in `Retry-After`.' },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    remedy: 'Tell us the `instance` of the answer; repeat with an Idempotency-Key.',
  },
  busy: {
    status: 503,
    title: 'Too much to do at this moment',
    remedy: 'Wait for the seconds in `Retry-After` and repeat, best with an Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The table as Markdown, for readers. */
export const errorTable = (): string =>
  [
    '| code | status | what to do |',
    '| --- | --- | --- |',
    ...Object.entries(ERRORS).map(([code, { status, remedy }]) => `| \`${code}\` | ${status} | ${remedy} |`),
  ].join('\n');

/** One broken rule: where (JSON pointer, RFC 6901) and which. */
export type FieldFault = { pointer: string; message: string };

/** A no with its reason. Nouns return it; verbs throw it wrapped in `Refused`. */
export type Refusal = {
  code: ErrorCode;
  detail?: string;
  errors?: readonly FieldFault[];
  /** further members of the problem document, e.g. `allowed_actions` */
  extra?: Readonly<Record<string, unknown>>;
  /** seconds, for 429 and 503 */
  retryAfter?: number;
};

/** Carries a refusal through verbs to the edge that answers it. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail ?? ERRORS[refusal.code].title);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

export const refuse = (code: ErrorCode, rest: Omit<Refusal, 'code'> = {}): never => {
  throw new Refused({ code, ...rest });
};

export const notFound = (): Refused => new Refused({ code: 'not_found' });

export const invalid = (errors: readonly FieldFault[]): Refused =>
  new Refused({ code: 'validation_failed', errors, detail: errors.map((e) => `${e.pointer} ${e.message}`).join('; ') });
