import type { DeliverDeps } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import { compositionsKept } from './digests.ts';
import { type Consent, type Judgement, judge, later } from './judge.ts';
import type { Outgoing } from './message.ts';
import type { Outcome } from './outcome.ts';
import { inDigest, parcelsOf } from './parcels.ts';
import type { ChannelAdapter, Settlement } from './ports.ts';
import { settlementOf } from './retry.ts';

/** What a chunk came to, not written yet. */
export type Ended = { settlements: Settlement[]; rows: readonly Delivery[] };

/** How many messages may be begun together now. */
export function roomNow({ adapter, isStopping, urgent }: DeliverDeps): number {
  const room = isStopping() ? 0 : (adapter.room?.(urgent) ?? 'all');
  return room === 'all' ? adapter.chunk : room === 'one' ? 1 : 0;
}

/** Gate, render, provider, for rows that are `sending` under our claim. */
export async function carried(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<Ended> {
  const judging = async (some: readonly Delivery[]) => {
    await deps.readyTexts?.(some);
    return judge(deps, some, consent);
  };
  const judgements = await judging(rows)
    .catch((error) => oneByOne(deps, rows, judging, error))
    .catch(async (error) => {
      // Nothing has left: give the rows back rather than let their leases run out as if something might have.
      await deps.deliveries.settle(
        rows.map((row) => later(row, 'not judged')),
        claim,
      );
      throw error;
    });
  const stopped = judgements.flatMap(({ stop }) => stop ?? []);
  await rememberHeld(deps, judgements);
  const ready = judgements.flatMap(({ row, message }) => (message ? [{ row, message }] : []));
  const settlements: Settlement[] = [];
  if (ready.length === 0 || stopped.length === 0) settlements.push(...stopped);
  else {
    // Nothing of theirs is on the wire: what is urgent for them must not wait until all of the others have an answer.
    await deps.deliveries.settle(stopped, claim);
    reportAll(deps, { settlements: stopped, rows });
  }
  const parcels = await compositionsKept(deps, parcelsOf(ready, deps.adapter.digests ?? false), claim);
  const suspects = ready.filter(({ row }) => row.crashes > 0).map(({ row }) => row.id);
  if (suspects.length > 0) await deps.deliveries.markHandedOver(suspects, claim);
  const outcomes = await sendAll(
    deps.adapter,
    parcels.map(({ message }) => message),
  );
  const now = deps.clock.now();
  for (const [i, { row, others, message }] of parcels.entries()) {
    const outcome = outcomes[i] ?? { kind: 'unclassified', detail: 'no outcome' };
    await remember(deps, row, outcome);
    const text = deps.adapter.textVersion?.(message.content);
    // What goes together waits equally long.
    const random = deps.random();
    settlements.push(withText(settlementOf(row, outcome, now, random), row, text));
    settlements.push(...others.map((other) => inDigest(settlementOf(other, outcome, now, random), row)));
  }
  return { settlements, rows };
}

/** Where a row of this chunk makes a fault of ours appear it is that row's alone: the others are judged without it. */
async function oneByOne(
  { clock, random }: DeliverDeps,
  rows: readonly Delivery[],
  judging: (some: readonly Delivery[]) => Promise<Judgement[]>,
  error: unknown,
): Promise<Judgement[]> {
  if (!isOurFault(error)) throw error;
  const judgements: Judgement[] = [];
  for (const row of rows) {
    const alone = await judging([row]).catch((fault): Judgement[] => {
      if (!isOurFault(fault)) throw fault;
      const outcome = { kind: 'unclassified', detail: 'not judged' } as const;
      return [{ row, stop: settlementOf(row, outcome, clock.now(), random()) }];
    });
    judgements.push(...alone);
  }
  return judgements;
}

/** What servers and connections throw is of other kinds, and would be thrown for every row. */
const isOurFault = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;

/** What was sent can be read again as it was: the row says so where it was another text than it was drafted with. */
const withText = (settlement: Settlement, row: Delivery, template_version: string | undefined): Settlement =>
  template_version && template_version !== row.template_version && settlement.to === 'sent'
    ? { ...settlement, template_version }
    : settlement;

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
async function remember({ suppressions }: DeliverDeps, row: Delivery, outcome: Outcome): Promise<void> {
  const { address, channel } = row;
  if (address === null) return;
  if (outcome.kind === 'bad_address')
    await suppressions.add(row, channel, address, { kind: 'bounced', why: outcome.detail });
  if (outcome.kind === 'opted_out' && outcome.sender) await suppressions.stop(outcome.sender, address);
}

/** What was held back by an address is seen by the staff of its school. */
async function rememberHeld({ suppressions }: DeliverDeps, judgements: readonly Judgement[]): Promise<void> {
  const held = judgements.filter(({ stop }) => stop?.to === 'skipped' && stop.reason === 'suppressed');
  const [first] = held;
  if (!first) return;
  const addresses = held.flatMap(({ row }) => row.address ?? []);
  await suppressions.concern(first.row, first.row.channel, addresses);
}
