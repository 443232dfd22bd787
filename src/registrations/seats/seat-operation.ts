import { type Caller, scopeOf } from '../../people/caller.ts';
import { may, missingPermission } from '../../people/permissions.ts';
import type { EventQueues, RecordReply, SeatRequest } from '../ports.ts';
import type { Registered } from '../register.ts';
import type { Registration } from '../registration.ts';
import type { SeatBook } from './seat-book.ts';

export type Verdict = ReturnType<SeatRequest<Registered>['decide']>;

/**
 * Makes a use case of a request about the seats of one event: submits it to the event's queue. Resolves after the commit.
 * @throws (the use case) Refused as the request decides; `busy`
 */
export const seatOperation =
  <Input extends { event_id: string }, Result, Deps extends object = object>(
    requestOf: (caller: Caller, input: Input, deps: Deps) => SeatRequest<Result>,
  ) =>
  async (
    deps: Deps & { eventQueues: EventQueues },
    caller: Caller,
    input: Input,
    recordReply?: RecordReply<Result>,
  ): Promise<Result> =>
    deps.eventQueues.submit(scopeOf(caller), input.event_id, requestOf(caller, input, deps), recordReply);

/** A request of staff about one registration; refused `not_found` or `forbidden` before `decide` is asked. */
export const staffRequest = (
  caller: Caller,
  id: string,
  decide: (book: SeatBook, registration: Registration, now: Date) => Verdict,
): SeatRequest<Registered> => ({
  needs: { ids: [id] },
  decide(book, now) {
    const registration = book.rows.get(id);
    if (!registration) return { code: 'not_found' };
    if (!may(caller, 'manage_registrations'))
      return { code: 'forbidden', detail: missingPermission('manage_registrations') };
    return decide(book, registration, now);
  },
});
