import type { RecordReply } from '../../core/idempotency-record.ts';
import { type Tx, WriteConflict } from '../../core/transaction.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { type Caller, forbiddenWithout, may, scopeOf } from '../../people/caller.ts';
import type { EventQueues, SeatDeps, SeatRequest } from '../ports.ts';
import type { Registered, Registration } from '../registration.ts';
import { REPEATED_WITHIN_MS } from './admission.ts';
import { type SeatBook, seatBookOf } from './seat-book.ts';

/**
 * Loads the seat book that these requests need.
 * @param event read before: a later change of any seat also changes its version, which makes the stored book conflict
 * @param tx a transaction that has locked the event's row
 */
export async function openSeatBook(
  deps: SeatDeps,
  event: SchoolEvent,
  needs: readonly SeatRequest<unknown>['needs'][],
  tx?: Tx,
): Promise<SeatBook> {
  const ids = needs.flatMap((need) => need.ids ?? []);
  const user_ids = needs.flatMap((need) => need.user_ids ?? []);
  const slots = needs.flatMap((need) => need.slots ?? []);
  const promotions = needs.reduce((sum, need) => sum + (need.promotions ?? 0), 0);
  const since = new Date(deps.clock.now().getTime() - REPEATED_WITHIN_MS);
  const known =
    ids.length + user_ids.length > 0
      ? await deps.registrations.findAmong(event, event.id, { ids, user_ids, slots, since }, tx)
      : [];
  const { waiting, leavers } = await loadWaiting(deps, event, promotions, tx);
  return seatBookOf(event, known, waiting, { leavers, locked: tx !== undefined });
}

/** Loads the front of the waitlist, with at least `promotions` people who are still at the school, if there are as many. */
async function loadWaiting(
  { registrations, contacts }: SeatDeps,
  event: SchoolEvent,
  promotions: number,
  tx?: Tx,
): Promise<{ waiting: Registration[]; leavers?: ReadonlySet<string> }> {
  if (promotions === 0 || event.waitlisted === 0) return { waiting: [] };
  for (let limit = promotions; ; limit *= 2) {
    const waiting = await registrations.findFirstWaiting(event, event.id, limit, tx);
    const ties = await contacts.findTies(
      event,
      waiting.map(({ user_id }) => user_id),
    );
    const leavers = new Set(ties.flatMap(({ user_id, left_at }) => (left_at ? user_id : [])));
    if (waiting.length < limit || waiting.length - leavers.size >= promotions) return { waiting, leavers };
  }
}

/**
 * Stores a seat book in a transaction: event, registrations and facts together, or nothing. Writes the event's row first,
 * because other processes conflict there.
 * @throws WriteConflict
 */
export async function storeSeatBook(deps: SeatDeps, book: SeatBook, tx: Tx): Promise<void> {
  const added: Registration[] = [];
  const changes: { before: Registration; after: Registration }[] = [];
  for (const id of book.dirty) {
    const after = book.rows.get(id);
    const before = book.before.get(id);
    if (after && before) changes.push({ before, after });
    else if (after) added.push(after);
  }
  const change = { before: book.stored, after: { ...book.event, version: book.event.version + 1 } };
  if (!(await deps.events.replaceMany([change], tx))) throw new WriteConflict('the event has changed');
  // Changes first: a slot that one registration gives up may be that of a new one.
  if (changes.length > 0) await deps.registrations.changeMany(changes, tx);
  if (added.length > 0) await deps.registrations.insertMany(added, tx);
  await deps.facts.record(book.facts, tx);
}

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
    if (!may(caller, 'manage_registrations')) return forbiddenWithout('manage_registrations');
    return decide(book, registration, now);
  },
});
