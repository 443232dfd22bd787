import { Refused } from '../core/errors.ts';
import { type IdempotencyRecord, TAKEN_OVER } from '../core/idempotency-record.ts';
import { type Tx, WriteConflict } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import { REPEATED_WITHIN_MS } from './admission.ts';
import type { EventQueueDeps, SeatRequest } from './ports.ts';
import type { Registration } from './registration.ts';
import { type Sheet, sheetOf } from './seat-book.ts';

/**
 * The sheet as some requests need it; null where there is no such event. From plain reads, or within a transaction that
 * takes the event's row first: dearer for one who is alone, and cheap to lose for one who is not.
 */
export async function openSeatBook(
  deps: Pick<EventQueueDeps, 'clock' | 'events' | 'registrations'>,
  scope: Scope,
  event_id: string,
  needs: readonly SeatRequest<unknown>['needs'][],
  tx?: Tx,
): Promise<Sheet | null> {
  // The event first: whatever changes after this changes its version, and the sheet is not stored.
  const event = tx ? await deps.events.hold(scope, event_id, tx) : await deps.events.find(scope, event_id);
  if (!event) return null;
  const ids = needs.flatMap((need) => need.ids ?? []);
  const user_ids = needs.flatMap((need) => need.user_ids ?? []);
  const moves = needs.reduce((sum, need) => sum + (need.moves ?? 0), 0);
  const asked = ids.length + user_ids.length > 0;
  const since = new Date(deps.clock.now().getTime() - REPEATED_WITHIN_MS);
  const known = asked ? await deps.registrations.findAmong(scope, event_id, { ids, user_ids, since }, tx) : [];
  const some = moves > 0 && event.waitlisted > 0;
  const waiting = some ? await deps.registrations.firstWaiting(scope, event_id, moves, tx) : [];
  return sheetOf(event, known, waiting, tx !== undefined);
}

/** Replies whose requests another process has taken over: nothing was stored. */
export class TakenOver extends Refused {
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super(TAKEN_OVER);
    this.keys = keys;
  }
}

/**
 * Writes a sheet and the replies to it, within a transaction: the event's row first, since it is what others compete
 * for. Guaranteed: seats, registrations, facts and replies are stored together, and only if nobody was faster.
 * @throws WriteConflict, TakenOver
 */
export async function storeSeatBook(
  deps: Omit<EventQueueDeps, 'transactOnce' | 'clock'>,
  sheet: Sheet,
  replies: readonly IdempotencyRecord[],
  tx: Tx,
): Promise<void> {
  const added: Registration[] = [];
  const changes: { before: Registration; after: Registration }[] = [];
  for (const id of sheet.touched) {
    const after = sheet.rows.get(id);
    const before = sheet.before.get(id);
    if (after && before) changes.push({ before, after });
    else if (after) added.push(after);
  }
  const version = sheet.version + 1;
  const stored = await deps.events.replace({ ...sheet.event, version }, sheet.held ? version : sheet.version, tx);
  if (!stored) throw new WriteConflict('the event has changed');
  if (added.length > 0) await deps.registrations.insertMany(added, tx);
  if (changes.length > 0) await deps.registrations.changeMany(changes, tx);
  await deps.facts.record(sheet.facts, tx);
  if (replies.length > 0) {
    const lost = await deps.idempotency.finishMany(replies, tx);
    if (lost.length > 0) throw new TakenOver(lost);
  }
}
