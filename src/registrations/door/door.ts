import { createHmac } from 'node:crypto';
import { type Refusal, Refused } from '../../core/errors.ts';
import { isSameSecret } from '../../core/ids.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { actorOf, type Caller } from '../../people/caller.ts';
import { doorTimes, mayActFor, NOT_FOR_OTHERS, refuseCheckIn } from '../allowed.ts';
import type { RegistrationDeps, SeatRequest } from '../ports.ts';
import type { Ids, Registered, Registration } from '../registration.ts';
import { record, resultOf, type SeatBook, upsert } from '../seats/seat-book.ts';
import { seatOperation, staffRequest, type Verdict } from '../seats/store-seat-book.ts';

/** Check-in at the door of events. */
export type Door = {
  codes: ReturnType<typeof doorCodes>;
  /** how long before the start check-in opens */
  opensMs: number;
};

const PERIOD_MS = 600_000;
const DIGITS = 6;

/** The codes that are shown at the door. Each follows from the event and the time; nothing is stored. */
export function doorCodes(secret: Buffer) {
  const codeOf = (event_id: string, period: number): string => {
    const mac = createHmac('sha256', secret).update(`door ${event_id} ${period}`).digest();
    return String(mac.readUInt32BE() % 10 ** DIGITS).padStart(DIGITS, '0');
  };
  const periodAt = (now: Date): number => Math.floor(now.getTime() / PERIOD_MS);
  return {
    /** The code of now: six digits. `changes_at`: when the next one begins. */
    current(event_id: string, now: Date) {
      const period = periodAt(now);
      return { code: codeOf(event_id, period), changes_at: new Date((period + 1) * PERIOD_MS) };
    },
    /** Accepts the code of now and the one before, so that people have time to enter the code they have read. */
    accepts: (event_id: string, code: string, now: Date): boolean =>
      [periodAt(now), periodAt(now) - 1].some((period) => isSameSecret(code, codeOf(event_id, period))),
  };
}

type Deps = { door: Door };

/**
 * Checks in a confirmed person by staff. May be repeated.
 * @throws Refused `not_found`, `forbidden`, `event_not_published`, `check_in_not_open`, `registration_not_active` if not
 * confirmed, `busy`
 */
export const checkIn = seatOperation((caller, { id }: Ids, { door }: Deps) =>
  staffRequest(
    caller,
    id,
    (book, registration, now) =>
      refuseCheckIn(book.event, now, door.opensMs, 'staff') ?? letIn(book, caller, registration, now),
  ),
);

/**
 * Undoes a check-in, at any time. May be repeated.
 * @throws Refused `not_found`, `forbidden`, `busy`
 */
export const undoCheckIn = seatOperation((caller, { id }: Ids) =>
  staffRequest(caller, id, (book, registration, now) => {
    if (registration.checked_in_at) change(book, caller, registration, { checked_in_at: null, now });
    return { result: () => resultOf(book, id) };
  }),
);

/**
 * Checks in the caller or a child of the caller with the code shown at the door. May be repeated.
 * @throws Refused `forbidden`, `event_not_published`, `check_in_not_open`, `check_in_over`, `wrong_code`,
 * `not_registered`, `registration_not_active` if not confirmed, `busy`
 */
export const checkInByCode = seatOperation(
  (
    caller,
    { event_id, code, user_id = caller.user_id }: { event_id: string; code: string; user_id?: string },
    { door }: Deps,
  ): SeatRequest<Registered> => ({
    needs: { user_ids: [user_id] },
    decide(book, now) {
      if (!mayActFor(caller, user_id)) return NOT_FOR_OTHERS;
      const refusal = refuseCheckIn(book.event, now, door.opensMs, 'code');
      if (refusal) return refusal;
      if (!door.codes.accepts(event_id, code, now)) return WRONG_CODE;
      const registration = book.rows.get(book.active.get(user_id) ?? '');
      return registration ? letIn(book, caller, registration, now) : NOT_REGISTERED;
    },
  }),
);

/**
 * The code to show at the door now, and when check-in opens and closes.
 * @throws Refused `event_not_published`, `check_in_not_open`, `check_in_over`
 */
export function readDoorCode({ door, clock }: { door: Door } & Pick<RegistrationDeps, 'clock'>, event: SchoolEvent) {
  const now = clock.now();
  const refusal = refuseCheckIn(event, now, door.opensMs, 'code');
  if (refusal) throw new Refused(refusal);
  return { ...door.codes.current(event.id, now), ...doorTimes(event, door.opensMs) };
}

function letIn(book: SeatBook, caller: Caller, registration: Registration, now: Date): Verdict {
  const { id, status, checked_in_at } = registration;
  if (status !== 'confirmed') {
    const detail = `The registration is ${status}. Only confirmed registrations can be checked in.`;
    return { code: 'registration_not_active', detail };
  }
  if (!checked_in_at) change(book, caller, registration, { checked_in_at: now, now });
  return { result: () => resultOf(book, id) };
}

function change(
  book: SeatBook,
  caller: Caller,
  registration: Registration,
  { checked_in_at, now }: { checked_in_at: Date | null; now: Date },
): void {
  upsert(book, { ...registration, checked_in_at, updated_at: now });
  const type = checked_in_at ? 'registration.checked_in' : 'registration.check_in_undone';
  record(book, actorOf(caller), now, {
    type,
    data: { registration_id: registration.id, user_id: registration.user_id },
  });
}

const WRONG_CODE: Refusal = {
  code: 'wrong_code',
  detail: 'This code is wrong or has expired. Enter the code that is shown at the door now.',
};
const NOT_REGISTERED: Refusal = {
  code: 'not_registered',
  detail: 'This person has no registration for the event. Ask the staff at the door.',
};
