import type { FaultRule } from './fault-rules.ts';

/**
 * Every error of the API: code, HTTP status, title (RFC 9457) and remedy. The OpenAPI document and docs/api.md take them from
 * this table.
 */
export const ERRORS = {
  malformed: {
    status: 400,
    title: 'The request cannot be read',
    remedy: 'Send valid JSON in UTF-8. Check the address and the method.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid token is required',
    remedy: 'Send `Authorization: Bearer` with a token that is signed for this service and has not expired.',
  },
  forbidden: {
    status: 403,
    title: 'The caller lacks the permission',
    remedy: 'Your token lacks the permission named in `detail`. Ask an administrator for it.',
  },
  view_as_reads_only: {
    status: 403,
    title: 'This is not possible while you view as someone else',
    remedy: 'Leave out the header `X-View-As`. With it you can only read: the calendar, events and the inbox.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    remedy: 'Check the id. You also get this response for items of another school and items you may not see.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not support the method',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  invalid_transition: {
    status: 409,
    title: 'This is not possible in the current state of the event',
    remedy: 'See `allowed_actions` for what is possible now. Use an Idempotency-Key to repeat a request safely.',
  },
  event_not_editable: {
    status: 409,
    title: 'An event in this state cannot be edited',
    remedy: 'Running, completed and cancelled events can’t be changed. Duplicate the event instead.',
  },
  event_not_published: {
    status: 409,
    title: 'The event is not published',
    remedy: 'Wait until the event is published. Registration opens then.',
  },
  registration_not_available: {
    status: 409,
    title: 'The event takes no registrations',
    remedy: 'Come without registering: the event is open to all.',
  },
  registration_closed: {
    status: 409,
    title: 'The registration deadline has passed',
    remedy: 'Ask the organizer. Staff who manage registrations can extend the deadline.',
  },
  event_full: {
    status: 409,
    title: 'The event is full',
    remedy:
      'If `waitlist_enabled` is true, send `waitlist: true` to join the waitlist. Otherwise try again when a place is free.',
  },
  already_registered: {
    status: 409,
    title: 'This person is already registered',
    remedy: 'See the existing registration under `registrations/mine`.',
  },
  capacity_below_occupied: {
    status: 409,
    title: 'More seats are taken than the new capacity',
    remedy: 'Cancel registrations first, or choose a capacity of at least the seats taken.',
  },
  slot_taken: {
    status: 409,
    title: 'This time is taken',
    remedy: 'Choose another time that is free in `GET …/events/{id}/slots`.',
  },
  slots_overlap: {
    status: 409,
    title: 'You have another meeting at this time',
    remedy: 'Choose a time before or after your other meeting.',
  },
  slots_in_use: {
    status: 409,
    title: 'Families have chosen times that would end',
    remedy: 'Only add times or teachers, or cancel the registrations first.',
  },
  registration_not_active: {
    status: 409,
    title: 'The registration is no longer active',
    remedy: 'The registration was cancelled. Register again.',
  },
  not_registered: {
    status: 409,
    title: 'This person is not registered for the event',
    remedy: 'Register first, or ask the staff at the door.',
  },
  check_in_not_open: {
    status: 409,
    title: 'Check-in has not opened yet',
    remedy: 'Try again from `opens_at` on.',
  },
  check_in_over: {
    status: 409,
    title: 'The event is over',
    remedy: 'The code ends with the event. Staff can still check people in.',
  },
  wrong_code: {
    status: 409,
    title: 'The check-in code is wrong or has expired',
    remedy: 'Enter the code that is shown at the door now. It changes every ten minutes.',
  },
  not_asked: {
    status: 409,
    title: 'There is nothing to confirm',
    remedy: 'You need not do anything: no one asks you to confirm this, or it no longer applies.',
  },
  not_undoable: {
    status: 409,
    title: 'The change can no longer be undone',
    remedy: 'Its messages are being sent, or the event has been changed again. Change the event instead.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'The first request with this key is still running',
    remedy: 'Repeat the request with the same key in a moment.',
  },
  stale: {
    status: 412,
    title: 'This has changed since it was read',
    remedy: 'Read it again and repeat the request with the new ETag.',
  },
  too_large: { status: 413, title: 'The request is too large', remedy: 'Send less data in one request.' },
  unsupported_media_type: {
    status: 415,
    title: 'This content type is not accepted',
    remedy: 'Send `content-type: application/json`, or the type that the route names.',
  },
  validation_failed: {
    status: 422,
    title: 'Some fields are not valid',
    remedy: 'Correct the fields listed in `errors` by their JSON pointers.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key was used for another request',
    remedy: 'Use a new key for every new request.',
  },
  rate_limited: { status: 429, title: 'Too many requests', remedy: 'Wait the number of seconds in `Retry-After`.' },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    remedy: 'Repeat the request with an Idempotency-Key. If it fails again, report the `instance` of the response.',
  },
  busy: {
    status: 503,
    title: 'The server is busy',
    remedy: 'Wait the number of seconds in `Retry-After` and repeat the request, best with an Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The table as Markdown, for the documentation. */
export const errorTable = (): string =>
  [
    '| code | status | what to do |',
    '| --- | --- | --- |',
    ...Object.entries(ERRORS).map(([code, { status, remedy }]) => `| \`${code}\` | ${status} | ${remedy} |`),
  ].join('\n');

/**
 * One broken rule: its field (JSON pointer, RFC 6901) and its message. `rule` is the stable code that clients translate: a
 * JSON Schema keyword, a format of the schema, or one of the rules between fields.
 */
export type FieldFault = { pointer: string; message: string; rule: FaultRule };

export const fault = (pointer: string, message: string, rule: FaultRule): FieldFault => ({ pointer, message, rule });

/** A refusal with its reason. Rules return it; use cases throw it wrapped in `Refused`. */
export type Refusal = {
  code: ErrorCode;
  detail?: string;
  errors?: readonly FieldFault[];
  /** more members of the problem document, e.g. `allowed_actions` */
  extra?: Readonly<Record<string, unknown>>;
  /** seconds, for 429 and 503 */
  retryAfter?: number;
  /** the methods that the address supports, for 405 */
  allow?: readonly string[];
};

/** Carries a refusal from a use case to the edge that answers it. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.detail ?? ERRORS[refusal.code].title, options);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

export const notFound = (): Refused => new Refused({ code: 'not_found' });

/** The result of a query. @throws Refused `not_found` if there is none */
export function orNotFound<T extends object>(found: T | null | undefined): T {
  if (!found) throw notFound();
  return found;
}

/**
 * @param retryAfter in seconds
 * @param cause an error of a server or a disk that an operator has to learn of
 */
export const busy = (detail: string, retryAfter = 1, cause?: unknown): Refused =>
  new Refused({ code: 'busy', detail, retryAfter }, { cause });

/** The refusal of a request for which the database would have to answer. */
export const databaseAway = (): Refused => busy('The database does not answer. Try again in a few seconds.', 2);

/** The refusal of a change that lost against others until it gave up. */
export const tooManyChanges = (): Refused => busy('Too many changes at the same time. Try again in a second.');

export const invalid = (errors: readonly FieldFault[]): Refused =>
  new Refused({
    code: 'validation_failed',
    errors,
    detail: errors.map(({ pointer, message }) => `${pointer || 'The body'} ${message}`).join('; '),
  });

/** A refusal with one fault. */
export const invalidField = (...of: Parameters<typeof fault>): Refused => invalid([fault(...of)]);

/** @throws Refused `validation_failed` with these faults, if there are any */
export function mustBeValid(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw invalid(faults);
}
