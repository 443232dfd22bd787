import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { insertEvents, planAll, registerEach } from '../bench/planned-events.ts';
import {
  contactOf,
  E,
  eventually,
  LEASE_MS,
  type OwnWorld,
  publishEvent,
  putPeople,
  startWorld,
} from '../support/world.ts';
import { skipUnknownWait } from './harness/checks.ts';
import { killAndReplace } from './harness/crew.ts';
import { row, sizeOf } from './harness/row.ts';

const BENCH = { tenant_id: 'bench', school_id: 'bench' };
const OFFSETS = [60, 30, 15] as const;
const SOON_MS = 1_500;

/** Number of events of one school that start at the full hour, each with one registered person. */
const count = sizeOf(100_000, 300);
const withinMs = sizeOf(1_800_000, 60_000);

let world: OwnWorld;
let events: SchoolEvent[];
beforeAll(async () => {
  // No sending worker is killed, so use the timeouts of production: shorter ones would cause second copies on a slow machine.
  const env = { SEND_TIMEOUT_MS: '30000', LEASE_MS: '60000' };
  world = await startWorld({ start: ['api', 'relay', 'fan-out', 'email', 'clock', 'clock'], env });
  const people = Array.from({ length: count }, (_, n) =>
    contactOf(n, { user_id: `person-${String(n).padStart(7, '0')}` }),
  );
  await putPeople({ database: world.database, scope: BENCH }, people);
  await putPeople(world, [contactOf(0, { email: 'other@people.example' })]);
  const far = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 24 * 3_600_000);
  const reminders = OFFSETS.map((offset) => ({ type: 'email' as const, offset }));
  events = await insertEvents(world.database, count, far, { reminders, current_attendees: 1 });
  await registerEach(world.database, events, 1);
  await planAll(world.database, events);
}, withinMs);
afterAll(() => world?.end());

const rows = (name: 'reminders' | 'facts' | 'deliveries' | 'events') => world.database.collection(name);
const countOf = (name: Parameters<typeof rows>[0], filter: object) => rows(name).countDocuments(filter as never);
/** Moves all events of the school so that the reminders of this offset are due in a moment, together with their plans. */
const makeDue = async (offset: number) => {
  const starts_at = new Date(Date.now() + SOON_MS + offset * 60_000);
  await rows('events').updateMany({ ...BENCH } as never, { $set: { starts_at } as never });
  for (const other of OFFSETS) {
    const due_at = new Date(starts_at.getTime() - other * 60_000);
    await rows('reminders').updateMany({ offset: other, status: 'planned' } as never, {
      $set: { due_at, expires_at: starts_at } as never,
    });
  }
};
const countRaised = (offset: number) => countOf('facts', { type: 'reminder.due', 'data.offset': offset });

/** Expects one raised reminder of this offset and one mail per person, in the database and at the mail server. */
async function expectEachOnce(offset: number): Promise<void> {
  const raised = await rows('facts')
    .find({ type: 'reminder.due', 'data.offset': offset } as never)
    .toArray();
  const own = { fact_id: { $in: raised.map(({ _id }) => _id) } };
  await eventually(
    'all reminders are sent',
    async () => {
      await skipUnknownWait(world);
      return (await countOf('deliveries', { ...own, status: 'sent' })) >= count;
    },
    withinMs,
  );
  expect(await countRaised(offset)).toBe(count);
  expect(await countOf('reminders', { offset, status: 'raised' })).toBe(count);
  const deliveries = new Set((await world.deliveries(own)).map(({ _id }) => _id));
  expect(deliveries.size).toBe(count);
  const mails = world.accepted().filter(({ delivery }) => deliveries.has(delivery ?? ''));
  expect(mails).toHaveLength(count);
}

row(
  'reminders-redis-emptied',
  'each person receives one reminder when Redis is emptied before they are due and while they are sent',
  async ({ random }) => {
    const redis = new Redis(world.redis.uri);
    await redis.flushall();
    await makeDue(60);
    for (let share = 0.01; share < 0.9; share += 0.1 + 0.3 * random.next()) {
      await eventually(`${share} of them`, async () => (await countRaised(60)) >= count * share, withinMs);
      await redis.flushall();
    }
    await redis.quit();
    await eventually('all are raised', async () => (await countRaised(60)) >= count, withinMs);
    await expectEachOnce(60);
  },
);

row(
  'clock-kill',
  'two clock workers raise each reminder once though they are killed repeatedly',
  async ({ size, random, note }) => {
    const kills = size(20, 4);
    await makeDue(30);
    for (let kill = 1; kill <= kills; kill += 1) {
      const share = ((kill - 1) * random.next()) / kills;
      await eventually(`those before kill ${kill}`, async () => (await countRaised(30)) >= share * count, withinMs);
      await killAndReplace(world, 'clock');
    }
    note({ kills });
    await eventually('all are raised', async () => (await countRaised(30)) >= count, withinMs);
    await expectEachOnce(30);
  },
);

row(
  'clock-paused',
  'a clock worker that is paused while reminders fall due raises each of them once when it resumes',
  async ({ note }) => {
    const clocks = world.processes.filter(({ name, isRunning }) => name === 'clock' && isRunning);
    for (const clock of clocks) clock.send('SIGSTOP');
    await makeDue(15);
    await delay(3 * LEASE_MS);
    expect(await countRaised(15)).toBe(0);
    const began = Date.now();
    for (const clock of clocks) clock.send('SIGCONT');
    await eventually('all are raised', async () => (await countRaised(15)) >= count, withinMs);
    await expectEachOnce(15);
    note({ 'at rest after': `${((Date.now() - began) / 1_000).toFixed(1)} s` });
  },
);

row(
  'full-hour',
  'events that start in the same minute are all started, and the cancellation of another tenant does not wait',
  async ({ note }) => {
    // A concert of another tenant, with one person who must get its cancellation.
    const concert = await publishEvent(world, { registration_type: 'optional' });
    const seat = await world.call('POST', `${E}/${concert}/registrations`, {
      kind: 'attendee',
      user_id: 'person-000000',
    });
    expect(seat.status).toBe(201);
    const starts_at = new Date(Date.now() + SOON_MS);
    await rows('events').updateMany({ ...BENCH } as never, { $set: { starts_at } as never });
    const started = () => countOf('events', { ...BENCH, status: 'in_progress' });
    await eventually('the first ones have started', async () => (await started()) > 0, withinMs);
    expect((await world.call('POST', `${E}/${concert}/cancel`, { reason: 'Storm' })).status).toBe(200);

    const starting = { trigger: 'event.starting', channel: 'in_app' };
    const isOver = async () => (await countOf('deliveries', { ...starting, status: 'sent' })) >= count;
    await eventually('everyone is notified', isOver, withinMs);
    expect(await started()).toBe(count);
    expect(await countOf('facts', { type: 'event.started' })).toBe(count);
    const ended = async (filter: object) => {
      const found = (await world.deliveries(filter)) as { settled_at: Date | null }[];
      return found.map(({ settled_at }) => settled_at?.getTime() ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
    };
    const startNotices = await ended({ ...starting, status: 'sent' });
    const [cancelled = Number.NaN] = await ended({
      event_id: concert,
      trigger: 'event.cancelled',
      channel: 'email',
    });
    // The cancellation overtakes the start notices, although they began earlier.
    expect(cancelled).toBeLessThan(startNotices.at(-1) ?? 0);
    const facts = (await rows('facts')
      .find({ type: 'event.started' } as never)
      .toArray()) as unknown as { occurred_at: Date }[];
    const started_at = facts.map(({ occurred_at }) => occurred_at.getTime()).sort((a, b) => a - b);
    const cancelFact = (await rows('facts').findOne({ type: 'event.cancelled' } as never)) as unknown as {
      occurred_at: Date;
    };
    const late = (times: readonly number[]) => ((times.at(-1) ?? Number.NaN) - starts_at.getTime()) / 1_000;
    note({
      'last started after': `${late(started_at)} s`,
      'last sent after': `${late(startNotices)} s`,
      'cancellation after': `${(cancelled - cancelFact.occurred_at.getTime()) / 1_000} s`,
    });
  },
);
