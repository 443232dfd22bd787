import { notFound, Refused } from '../core/errors.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Caller } from '../people/caller.ts';
import { type AcknowledgeDeps, recordAcknowledgements } from './acknowledge.ts';
import { asksNow } from './acknowledgement.ts';
import { loadConcernedBy } from './concerned.ts';

/**
 * Records that staff reached a person or a guardian by phone, who therefore knows. May be repeated: an earlier confirmation
 * stays.
 * @throws Refused `not_asked`; `not_found` for a person whom it does not concern
 */
export async function recordCall(
  deps: AcknowledgeDeps,
  caller: Caller,
  event: SchoolEvent,
  { user_id, note }: { user_id: string; note: string | null },
): Promise<void> {
  if (!asksNow(event)) throw new Refused({ code: 'not_asked' });
  const concerned = (await loadConcernedBy(deps, event, [user_id]))(event);
  if (!concerned.some((one) => one.user_id === user_id)) throw notFound();
  await recordAcknowledgements(deps, event, [{ user_id, by: caller.user_id, channel: 'call', note }]);
}
