import type { DeliverDeps } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import { type Consent, judge, later } from './judge.ts';
import type { Outgoing } from './message.ts';
import type { Outcome } from './outcome.ts';
import { inDigest, parcelsOf } from './parcels.ts';
import type { ChannelAdapter, Settlement } from './ports.ts';
import { settlementOf } from './retry.ts';

/** What a chunk came to, not written yet. */
export type Ended = { settlements: Settlement[]; rows: readonly Delivery[] };

/** How many messages may be begun together now. */
export function roomNow({ adapter, isStopping }: DeliverDeps): number {
  const room = isStopping() ? 0 : (adapter.room?.() ?? 'all');
  return room === 'all' ? adapter.chunk : room === 'one' ? 1 : 0;
}

/** Gate, render, provider, for rows that are `sending` under our claim. */
export async function carried(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<Ended> {
  const judgements = await judge(deps, rows, consent).catch(async (error) => {
    // Nothing has left: give the rows back rather than let their leases run out as if something might have.
    await deps.deliveries.settle(
      rows.map((row) => later(row, 'not judged')),
      claim,
    );
    throw error;
  });
  const settlements = judgements.flatMap(({ stop }) => stop ?? []);
  const ready = judgements.flatMap(({ row, message }) => (message ? [{ row, message }] : []));
  const parcels = parcelsOf(ready, deps.adapter.digests ?? false);
  const suspects = ready.filter(({ row }) => row.crashes > 0).map(({ row }) => row.id);
  if (suspects.length > 0) await deps.deliveries.markHandedOver(suspects, claim);
  const outcomes = await sendAll(
    deps.adapter,
    parcels.map(({ message }) => message),
  );
  const now = deps.clock.now();
  for (const [i, { row, others }] of parcels.entries()) {
    const outcome = outcomes[i] ?? { kind: 'unclassified', detail: 'no outcome' };
    await remember(deps, row, outcome);
    settlements.push(settlementOf(row, outcome, now, deps.random()));
    settlements.push(...others.map((other) => inDigest(settlementOf(other, outcome, now, deps.random()), row)));
  }
  return { settlements, rows };
}

/** Once it is written. */
export function reportAll(deps: DeliverDeps, { settlements, rows }: Ended): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const settlement of settlements) {
    const row = byId.get(settlement.id);
    if (row) deps.report(settlement, row);
  }
}

/** An adapter never throws; one that does anyway has left us in doubt about all of its messages. */
async function sendAll(adapter: ChannelAdapter, messages: readonly Outgoing[]): Promise<Outcome[]> {
  if (messages.length === 0) return [];
  return adapter.send(messages).catch(() => messages.map(() => ({ kind: 'ambiguous', detail: 'the adapter threw' })));
}

/** What an outcome teaches beyond this one message. */
async function remember(deps: DeliverDeps, row: Delivery, outcome: Outcome): Promise<void> {
  if (row.address === null) return;
  if (outcome.kind === 'bad_address' || outcome.kind === 'opted_out')
    await deps.suppressions.add(row.tenant_id, row.channel, row.address, outcome.detail);
}
