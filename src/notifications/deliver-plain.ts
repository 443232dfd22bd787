import { carried, type Ended, reportAll, roomNow } from './carry.ts';
import type { DeliverDeps } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import type { Consent } from './judge.ts';

/**
 * Chunk after chunk, the end of each written together with the beginning of the next; without it where the next one has
 * to wait for its permits. Ends after the first chunk for which the turn is over.
 * @returns how many were begun by us or somebody else, from the front
 */
export async function deliverPlain(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
  isOver: () => boolean = () => false,
): Promise<number> {
  let begun = 0;
  let ended: Ended = { settlements: [], rows: [] };
  const write = async (beginning: readonly Delivery[]): Promise<Delivery[]> => {
    const { settlements } = ended;
    const ours = new Set(await deps.deliveries.advance(settlements, beginning, claim, deps.leaseMs));
    reportAll(deps, ended);
    ended = { settlements: [], rows: [] };
    const sending = beginning.filter((row) => ours.has(row.id));
    // Rows are read for this and nobody else: a copy of each would cost as much as its text.
    for (const row of sending) row.fence += 1;
    return sending;
  };
  const urgent = rows[0]?.urgent ?? false;
  const ask = (room: number) =>
    room > 0 && begun < rows.length ? permitsFor(deps, Math.min(room, rows.length - begun), urgent) : null;
  let ahead: ReturnType<typeof ask> = null;
  while (begun < rows.length && (ahead || begun === 0 || !isOver())) {
    const asked = ahead ?? ask(roomNow(deps));
    if (!(await asked?.granted)) break;
    // Another process may have been told to slow down: that came with the permits.
    const size = Math.min(asked?.count ?? 0, roomNow(deps));
    if (size === 0) break;
    const sending = await write(rows.slice(begun, begun + size));
    begun += size;
    // Not while a provider is tried with one message: what may follow is known when that is through.
    ahead = !isOver() && roomNow(deps) === deps.adapter.chunk ? ask(deps.adapter.chunk) : null;
    ended = await carried(deps, sending, claim, consent);
    if (!ahead?.isGranted()) await write([]);
  }
  if (ended.rows.length > 0) await write([]);
  return begun;
}

/** Asked for while the chunk before is on its way. */
function permitsFor(deps: DeliverDeps, count: number, urgent: boolean) {
  let known = false;
  const granted = deps.takePermits(count, urgent).finally(() => {
    known = true;
  });
  return { count, granted, isGranted: () => known };
}
