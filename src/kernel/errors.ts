/**
 * Every error a caller can meet: its code, HTTP status and title (RFC 9457). The OpenAPI document and the README
 * are made from this table; a code that is not in it cannot be raised.
 */
export const ERRORS = {
  malformed: { status: 400, title: 'The request cannot be read' },
  unauthenticated: { status: 401, title: 'A valid token is needed' },
  forbidden: { status: 403, title: 'The caller lacks the permission' },
  not_found: { status: 404, title: 'Nothing is here' },
  invalid_transition: { status: 409, title: 'The event is not in a state that allows this' },
  event_not_editable: { status: 409, title: 'An event in this state cannot be edited' },
  event_not_published: { status: 409, title: 'The event is not published' },
  registration_not_available: { status: 409, title: 'The event takes no registrations' },
  registration_closed: { status: 409, title: 'The registration deadline has passed' },
  event_full: { status: 409, title: 'The event is full and has no waitlist' },
  already_registered: { status: 409, title: 'This person is already registered' },
  capacity_below_occupied: { status: 409, title: 'More seats are taken than the new capacity' },
  registration_not_active: { status: 409, title: 'The registration is no longer active' },
  idempotency_in_flight: { status: 409, title: 'The first request with this key is still running' },
  stale: { status: 412, title: 'The event has changed since it was read' },
  too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'This content type is not accepted' },
  validation_failed: { status: 422, title: 'Some fields break a rule' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  busy: { status: 503, title: 'Too much to do at this moment' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

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
