import { audit } from '../../../src/cli/audit.ts';
import { groupBy } from '../../../src/core/groups.ts';
import type { Acceptance } from '../../../src/dev/stand-ins/received.ts';
import { IN_INBOX } from '../../../src/mongo/notifications/delivery-row.ts';
import { type Delivery, OPEN_STATUSES } from '../../../src/notifications/delivery.ts';
import type { World } from '../../support/world.ts';
import type { Expected, School } from './school.ts';

/** The broken promises that a check found. */
export type Findings = {
  /** acknowledged, but never received */
  lost: string[];
  /** received, but not caused by anything acknowledged */
  unexpected: string[];
  /** received more often than promised, or under another Message-ID */
  repeated: string[];
  /** received after a later message that contradicts it */
  stale: string[];
  /** acknowledged, but not in the database */
  forgotten: string[];
  /** oversold seats, promotion out of order, free seats, wrong counters */
  seats: string[];
  /** answers that no client should see */
  answers: string[];
};

type Line = Acceptance & { key: string };

const keyOf = ({ event, trigger, channel, recipient }: Expected): string =>
  `${trigger} ${channel} ${recipient} ${event}`;

/**
 * Checks everything that a school was promised against what the stand-ins received, which is written outside of the
 * product. Call it when the product is at rest.
 * @returns the findings, and how many messages were copies of earlier ones, by channel
 */
export async function checkSchool(
  world: World,
  school: School,
): Promise<{ findings: Findings; copies: Record<string, number> }> {
  const received = await linesOf(world, school);
  const byKey = new Map(groupBy(received, ({ key }) => key).map((lines) => [lines[0]?.key ?? '', lines]));
  const required = await requiredOf(world, school);
  const allowed = new Set([...[...school.ledger.expected, ...school.ledger.allowed].map(keyOf), ...required]);
  const copies: Record<string, number> = { email: 0, sms: 0, push: 0, in_app: 0 };
  const repeated: string[] = [];
  for (const [key, lines] of byKey) {
    const [{ channel } = { channel: '' }] = lines;
    copies[channel] = (copies[channel] ?? 0) + lines.length - 1;
    if (lines.length > 2 && channel !== 'push') repeated.push(`${key}: ${lines.length} times`);
    if (lines.length > 1 && channel === 'in_app') repeated.push(`${key}: twice`);
    const [id, what] = channel === 'push' ? (['topic', 'topics'] as const) : (['message_id', 'Message-IDs'] as const);
    if (channel !== 'sms' && new Set(lines.map((line) => line[id])).size > 1) repeated.push(`${key}: two ${what}`);
  }
  return {
    copies,
    findings: {
      lost: [...required].filter((key) => !byKey.has(key)),
      unexpected: [...byKey.keys()].filter((key) => !allowed.has(key)),
      repeated,
      stale: staleOf(school, received),
      forgotten: await forgottenOf(world, school),
      seats: await seatFaults(world, school),
      answers: school.ledger.statuses.has(500) ? [`500: ${school.ledger.statuses.get(500)} times`] : [],
    },
  };
}

/** The messages that this school's people received, in order of arrival; an entry of an inbox counts as received. */
async function linesOf(world: World, { name, scope, people }: School): Promise<Line[]> {
  const [phones, tenant] = [new Set(people.map(({ phone }) => phone)), scope.tenant_id];
  const ours = world
    .accepted()
    .filter((line) =>
      line.channel === 'sms' ? phones.has(line.recipient) : line.recipient.includes(name) || line.tenant === tenant,
    );
  // An SMS does not name its event: its status callback names the delivery.
  const rows = new Map((await world.deliveries({ tenant_id: tenant, channel: 'sms' })).map((row) => [row._id, row]));
  const entries = await world.deliveries({ tenant_id: tenant, ...IN_INBOX });
  const inbox = entries.map(
    (entry): Acceptance => ({
      at: (entry.settled_at as Date).toISOString(),
      channel: 'in_app' as never,
      recipient: entry.user_id,
      message_id: null,
      delivery: String(entry._id),
      tenant,
      event: entry.event_id,
      trigger: entry.trigger,
    }),
  );
  return [...ours, ...inbox].map((line) => {
    const row = line.channel === 'sms' ? rows.get(line.delivery ?? '') : null;
    const event = row?.event_id ?? line.event ?? 'no event';
    const trigger = row?.trigger ?? line.trigger ?? 'no trigger';
    const foreign = line.tenant !== null && line.tenant !== tenant ? ' (another tenant’s)' : '';
    return { ...line, event, trigger, key: keyOf({ ...line, event, trigger }) + foreign };
  });
}
const registrationsOf = (world: World, { scope }: School) =>
  world.database.collection('registrations').find({ tenant_id: scope.tenant_id }).toArray();

/** Everything expected except what is no longer true, and the confirmations of those who were promoted. */
async function requiredOf(world: World, school: School): Promise<Set<string>> {
  const { ledger, people } = school;
  const gone = new Set(ledger.registered.filter(({ id }) => ledger.left.has(id)).map(seatKey));
  const receivers = new Map(people.flatMap((one) => [[one.email, one] as const, [one.user_id, one] as const]));
  const isOver = ({ event, trigger, recipient }: Expected): boolean =>
    trigger === 'registration.confirmed' &&
    (ledger.events.get(event)?.cancelled === true ||
      gone.has(seatKey({ event, user_id: receivers.get(recipient)?.user_id ?? '' })));
  const required = new Set(ledger.expected.filter((one) => !isOver(one)).map(keyOf));
  const byId = new Map(people.map((person) => [person.user_id, person]));
  for (const { event_id: event, user_id, status, promoted_because } of await registrationsOf(world, school)) {
    if (promoted_because === null || status !== 'confirmed' || ledger.events.get(event)?.cancelled) continue;
    const confirmed = { event, trigger: 'registration.confirmed' };
    required.add(keyOf({ ...confirmed, channel: 'email', recipient: byId.get(user_id)?.email ?? '' }));
    required.add(keyOf({ ...confirmed, channel: 'in_app', recipient: user_id }));
  }
  return required;
}

const seatKey = ({ event, user_id }: { event: string; user_id: string }): string => `${event} ${user_id}`;

/** The last message about a cancelled event, to each person and channel, is the cancellation. */
function staleOf({ ledger }: School, received: readonly Line[]): string[] {
  const last = new Map<string, Line>();
  for (const line of received)
    if (line.channel !== ('in_app' as never)) last.set(`${line.event} ${line.channel} ${line.recipient}`, line);
  return [...last.values()]
    .filter(({ event, trigger }) => ledger.events.get(event ?? '')?.cancelled && trigger !== 'event.cancelled')
    .filter(({ event, channel, recipient }) =>
      ledger.expected.some(
        (one) =>
          one.event === event &&
          one.trigger === 'event.cancelled' &&
          one.channel === channel &&
          one.recipient === recipient,
      ),
    )
    .map(({ key }) => key);
}

/** Acknowledged registrations and cancellations that the database does not have. */
async function forgottenOf(world: World, school: School): Promise<string[]> {
  const { ledger } = school;
  const rows = new Map((await registrationsOf(world, school)).map((row) => [row._id, row]));
  const forgotten = ledger.registered
    .filter(({ id, user_id }) => rows.get(id)?.user_id !== user_id)
    .map(({ id }) => `registration ${id}`);
  const back = [...ledger.left].filter((id) => rows.get(id)?.status !== 'cancelled');
  const acknowledged = new Set(ledger.registered.map(({ id }) => id));
  const doubled = [...rows.keys()]
    .filter((id) => !acknowledged.has(id))
    .map((id) => `registration ${id} is a second one`);
  const events = await world.database.collection('events').find({ tenant_id: school.scope.tenant_id }).toArray();
  const status = new Map(events.map((event) => [event._id, event.status]));
  const lost = [...ledger.events].flatMap(([id, { cancelled }]) =>
    status.get(id) === (cancelled ? 'cancelled' : 'published') ? [] : `event ${id} is ${status.get(id)}`,
  );
  const extra = [...status.keys()].filter((id) => !ledger.events.has(id)).map((id) => `event ${id} is a second one`);
  return [...forgotten, ...back.map((id) => `cancellation of ${id}`), ...doubled, ...lost, ...extra];
}

async function seatFaults(world: World, school: School): Promise<string[]> {
  const rows = await registrationsOf(world, school);
  const faults = [...school.ledger.events].flatMap(([event, { seats, cancelled }]) => {
    const own = rows.filter((row) => row.event_id === event);
    const taken = own.filter(({ status }) => status === 'confirmed').length;
    const waiting = own.filter(({ status }) => status === 'waitlisted');
    const numbersOf = (some: typeof own) => some.map((row) => row.waitlist_number ?? 0);
    const firstWaiting = Math.min(...numbersOf(waiting));
    const lastPromoted = Math.max(...numbersOf(own.filter((row) => row.promoted_because !== null)));
    const numbers = numbersOf(own).filter((number) => number > 0);
    return [
      ...(taken > seats ? [`${event}: ${taken} have one of ${seats} seats`] : []),
      ...(!cancelled && taken < seats && waiting.length > 0
        ? [`${event}: ${seats - taken} seats are free, ${waiting.length} wait`]
        : []),
      ...(firstWaiting < lastPromoted ? [`${event}: ${firstWaiting} waits, ${lastPromoted} was promoted`] : []),
      ...(new Set(numbers).size < numbers.length ? [`${event}: two have the same place on the waitlist`] : []),
    ];
  });
  const { lines, faulty } = await audit(world.env.MONGODB_URI ?? '', false);
  return faulty > 0 ? [...faults, ...lines] : faults;
}

/**
 * The work of a school that is not at rest: facts to publish or fan out, and messages that may still leave, with their number
 * by state.
 */
export async function backlogOf({ database }: World, { scope }: School): Promise<string[]> {
  const { tenant_id } = scope;
  const [facts, deliveries] = await Promise.all([
    database.collection('facts').countDocuments({ tenant_id, relay: { $exists: true } } as never),
    database
      .collection('deliveries')
      .aggregate<{ _id: Pick<Delivery, 'channel' | 'status'>; count: number }>([
        { $match: { tenant_id, status: { $in: OPEN_STATUSES } } },
        { $group: { _id: { channel: '$channel', status: '$status' }, count: { $sum: 1 } } },
      ])
      .toArray(),
  ]);
  const messages = deliveries.map(({ _id: { channel, status }, count }) => `${count} ${channel} ${status}`);
  return facts > 0 ? [`${facts} facts`, ...messages] : messages;
}
