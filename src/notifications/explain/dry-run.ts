import { newId } from '../../core/ids.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { FACT_VERSION, type Fact, type NewFact } from '../../outbox/fact.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { type AudienceDeps, loadNextRecipients } from '../fan-out/audience-cursor.ts';
import { loadPeople } from '../fan-out/load-people.ts';
import { corrections } from '../policy/corrections.ts';
import { draftDeliveries, type Occasion, oneRowPerKey } from '../policy/draft-deliveries.ts';
import { reasonToStop } from '../policy/gate.ts';
import { readersOf } from '../policy/readers.ts';
import { foreseenSpending, type SmsAllowance } from '../policy/sms-allowance.ts';
import { type Channel, triggerOf } from '../policy/trigger.ts';
import type { DeliveryStore, Senders, SuppressionStore } from '../ports.ts';
import { segmentCounter, type TextDeps } from './dry-run-texts.ts';
import { type Ahead, secondsUntilSent } from './dry-run-time.ts';

export type ForeseeDeps = AudienceDeps &
  TextDeps & {
    suppressions: Pick<SuppressionStore, 'among' | 'stopped'>;
    /** of text messages; not given where these are off */
    smsSenders?: Senders | undefined;
    smsAllowance: SmsAllowance;
    deliveries: Pick<DeliveryStore, 'waitingByTenant' | 'announcedTo' | 'toldSince' | 'isBeingAnnounced'>;
    /** channels that have settings */
    openChannels: ReadonlySet<Channel>;
    /** messages a second of each channel, as far as is known */
    rates: Readonly<Record<Channel, number>>;
  };

/** How many messages would go out on a channel, and how many would not, by reason. */
export type Audience = Partial<Record<Channel, { told: number; skipped: Partial<Record<Reason, number>> }>>;

/** What telling them would come to. */
export type ForeseenAudience = {
  audience: Audience;
  /** told on whatever channels, also at an address they share */
  people: number;
  /** text messages that would be paid */
  sms_segments: number;
  /** until the last of them has left, with what waits already; an estimate */
  estimated_seconds: number;
};

/** What waits already is counted so far: beyond that nobody minds the minute. */
const COUNTED = 200_000;

/**
 * Who would be told if these facts were recorded: the same recipients, rows and gate as of the real thing, counted and
 * thrown away. Comes in: each event as it would be, with its facts. Writes nothing and may be asked any number of times.
 */
export async function foreseeAudience(
  deps: ForeseeDeps,
  foreseen: readonly { event: SchoolEvent; facts: readonly NewFact[] }[],
  at: Date,
): Promise<ForeseenAudience> {
  const counts: Counts = { audience: {}, people: new Set(), sms_segments: 0, lanes: new Map(), held_until: at };
  const counting = { counts, segmentsOf: segmentCounter(deps), fits: foreseenSpending(deps.smsAllowance) };
  for (const { event, facts } of foreseen) {
    for (const fact of facts) await countFact(deps, counting, event, fact, at);
  }
  const { audience, people, sms_segments } = counts;
  return { audience, people: people.size, sms_segments, estimated_seconds: await secondsOf(deps, counts, at) };
}

type Counts = {
  audience: Audience;
  people: Set<string>;
  sms_segments: number;
  /** messages by channel, lane and tenant */
  lanes: Map<string, { channel: Channel; urgent: boolean; tenant_id: string; count: number }>;
  /** when the last of them may leave at the earliest */
  held_until: Date;
};

async function secondsOf(deps: ForeseeDeps, { lanes, held_until }: Counts, at: Date): Promise<number> {
  let slowest = 0;
  for (const { channel, urgent, tenant_id, count } of lanes.values()) {
    const ahead: Ahead = await deps.deliveries.waitingByTenant(channel, urgent, COUNTED);
    slowest = Math.max(slowest, secondsUntilSent(count, tenant_id, ahead, deps.rates[channel]));
  }
  return Math.ceil((held_until.getTime() - at.getTime()) / 1_000) + slowest;
}

function addToLane({ lanes }: Counts, { channel, urgent, tenant_id }: Delivery): void {
  const key = `${channel} ${urgent} ${tenant_id}`;
  const lane = lanes.get(key) ?? { channel, urgent, tenant_id, count: 0 };
  lanes.set(key, { ...lane, count: lane.count + 1 });
}

type Counting = {
  counts: Counts;
  segmentsOf: ReturnType<typeof segmentCounter>;
  fits: ReturnType<typeof foreseenSpending>;
};

async function countFact(
  deps: ForeseeDeps,
  { counts, segmentsOf, fits }: Counting,
  event: SchoolEvent,
  foreseen: NewFact,
  at: Date,
) {
  const trigger = triggerOf(foreseen);
  if (!trigger) return;
  const fact = { ...foreseen, id: newId(), v: FACT_VERSION } as Fact;
  const school = await deps.schools.find(event);
  const occasion: Occasion = { fact, trigger, event, school, openChannels: deps.openChannels };
  const told = new Set<string>();
  const knownUnder = new Set<string>();
  const add = async (row: Delivery, stopped: Reason | null): Promise<void> => {
    const parts = stopped === null && row.channel === 'sms' ? await segmentsOf(row, occasion) : 0;
    const reason = parts > 0 && !(await fits(row, parts)) ? 'over_budget' : stopped;
    count(counts.audience, row.channel, reason);
    // Two who share an address are both told by it.
    if (reason === null || reason === 'same_address') counts.people.add(row.user_id);
    if (reason !== null) return;
    addToLane(counts, row);
    if (row.due_at > counts.held_until) counts.held_until = row.due_at;
    counts.sms_segments += parts;
  };
  for (let after: string | null = null; ; ) {
    const batch = await loadNextRecipients(deps, occasion, after);
    if (batch.recipients.length > 0) {
      const people = await loadPeople(deps, occasion, batch.recipients);
      const { rows, merged } = oneRowPerKey(draftDeliveries(occasion, batch.recipients, people, at));
      const judge = await judgeOf(deps, occasion, rows, at);
      for (const row of [...rows, ...merged]) {
        const ofPerson = `${row.id} ${row.user_id}`;
        if (knownUnder.has(ofPerson)) continue;
        await add(row, told.has(row.id) ? 'same_address' : judge(row));
        told.add(row.id);
        knownUnder.add(ofPerson);
      }
    }
    if (batch.next === null) break;
    after = batch.next;
  }
  for await (const rows of corrections(deps, occasion, at)) {
    const judge = await judgeOf(deps, occasion, rows, at);
    for (const row of rows) if (!told.has(row.id)) await add(row, judge(row));
  }
}

/** The gate as it stands now, with its wishes, suppressions and registrations read for a whole batch. */
async function judgeOf(deps: ForeseeDeps, { event, fact }: Occasion, rows: readonly Delivery[], at: Date) {
  const user_ids = [...new Set(rows.flatMap((row) => readersOf(row).map((reader) => reader.user_id)))];
  const registration_ids = [...new Set(rows.flatMap((row) => row.registration_ids))];
  const wishes = await deps.preferences.findMany(event, user_ids);
  const registrations = registration_ids.length > 0 ? await deps.registrations.standings(event, registration_ids) : [];
  const suppressed = new Map<Channel, Set<string>>();
  const [first] = rows;
  const urgent = first?.urgent ?? false;
  const addressesOn = (channel: Channel) => rows.flatMap((row) => (row.channel === channel && row.address) || []);
  for (const channel of new Set(rows.map((row) => row.channel))) {
    const addresses = addressesOn(channel);
    if (addresses.length > 0)
      suppressed.set(channel, await deps.suppressions.among(event.tenant_id, channel, addresses, { urgent }));
  }
  const senders = deps.smsSenders?.[urgent ? 'urgent' : 'routine'] ?? [];
  const stopped = await deps.suppressions.stopped(senders, addressesOn('sms'));
  const wishesOf = new Map(wishes.map((row) => [row.user_id, row.opted_out]));
  const byId = new Map(registrations.map((row) => [row.id, row]));
  return (row: Delivery): Reason | null =>
    row.reason ??
    reasonToStop(row, {
      event,
      fact,
      registrations: row.registration_ids.flatMap((id) => byId.get(id) ?? []),
      wishes: wishesOf,
      suppressed: suppressed.get(row.channel) ?? new Set(),
      ...(row.channel === 'sms' ? { stopped } : {}),
      at,
    });
}

function count(audience: Audience, channel: Channel, reason: Reason | null): void {
  const counted = audience[channel] ?? { told: 0, skipped: {} };
  audience[channel] = counted;
  if (reason === null) counted.told += 1;
  else counted.skipped[reason] = (counted.skipped[reason] ?? 0) + 1;
}
