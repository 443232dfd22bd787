import type { KeptReply } from '../kernel/idempotency.ts';
import { Contended, type Tx } from '../kernel/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { LaneDeps, SeatRequest } from './ports.ts';
import type { Registration } from './registration.ts';
import { type Sheet, sheetOf } from './sheet.ts';

/** The sheet as some requests need it, from plain reads; null where there is no such event. */
export async function openSheet(
  deps: Pick<LaneDeps, 'events' | 'registrations'>,
  scope: Scope,
  event_id: string,
  needs: readonly SeatRequest<unknown>['needs'][],
): Promise<Sheet | null> {
  // The event first: whatever changes after this changes its version, and the sheet is not stored.
  const event = await deps.events.find(scope, event_id);
  if (!event) return null;
  const ids = needs.flatMap((need) => need.ids ?? []);
  const user_ids = needs.flatMap((need) => need.user_ids ?? []);
  const moves = needs.reduce((sum, need) => sum + (need.moves ?? 0), 0);
  const asked = ids.length + user_ids.length > 0;
  const [known, waiting] = await Promise.all([
    asked ? deps.registrations.findAmong(scope, event_id, { ids, user_ids }) : [],
    moves > 0 && event.waitlisted > 0 ? deps.registrations.firstWaiting(scope, event_id, moves) : [],
  ]);
  return sheetOf(event, known, waiting);
}

/** Replies whose requests another process has taken over: nothing was stored. */
export class TakenOver extends Error {
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super('another process has taken these requests over');
    this.keys = keys;
  }
}

/**
 * Writes a sheet and the replies to it, within a transaction: the event's row first, since it is what others compete
 * for. Guaranteed: seats, registrations, facts and replies are stored together, and only if nobody was faster.
 * @throws Contended, TakenOver
 */
export async function storeSheet(
  deps: Omit<LaneDeps, 'attempt' | 'clock'>,
  sheet: Sheet,
  replies: readonly KeptReply[],
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
  const stored = await deps.events.replace({ ...sheet.event, version: sheet.version + 1 }, sheet.version, tx);
  if (!stored) throw new Contended('the event has changed');
  if (added.length > 0) await deps.registrations.insertMany(added, tx);
  if (changes.length > 0) await deps.registrations.changeMany(changes, tx);
  await deps.facts.record(sheet.facts, tx);
  if (replies.length > 0) {
    const lost = await deps.replies.finishMany(replies, tx);
    if (lost.length > 0) throw new TakenOver(lost);
  }
}
