import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import { insertEvents, planAll, registerEach } from '../bench/planned-events.ts';
import { contactOf, draft, eventually, startWorld, type World } from '../support/world.ts';
import { fastForwardUnknown } from './checks.ts';

const BENCH = { tenant_id: 'bench', school_id: 'bench' };
const E = '/api/v1/operations/events';
const OFFSETS = [60, 30] as const;
const SOON_MS = 1_500;

/** So many events of one school at the full hour, each with one person: reminders, starts, and what must not wait. */
export function fullHour({ count, withinMs }: { count: number; withinMs: number }): void {
  let world: World;
  let events: SchoolEvent[];
  beforeAll(async () => {
    // Nobody who sends is killed: patience as in production, or a slow machine makes mails doubtful and sends them again.
    const env = { SEND_TIMEOUT_MS: '30000', LEASE_MS: '60000' };
    world = await startWorld({ start: ['api', 'relay', 'fan-out', 'email', 'in-app', 'clock', 'clock'], env });
    const people = Array.from({ length: count }, (_, n) =>
      contactOf(n, { ...BENCH, user_id: `person-${String(n).padStart(7, '0')}` }),
    );
    for (let i = 0; i < count; i += 1_000) await contactStore(world.database).putMany(people.slice(i, i + 1_000));
    await contactStore(world.database).putMany([contactOf(0, { email: 'other@people.example' })]);
    const far = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 24 * 3_600_000);
    const reminders = OFFSETS.map((offset) => ({ type: 'email' as const, offset }));
    events = await insertEvents(world.database, count, far, { reminders, current_attendees: 1 });
    await registerEach(world.database, events, 1);
    await planAll(world.database, events);
  }, withinMs);
  afterAll(() => world?.end());

  const rows = (name: 'reminders' | 'facts' | 'deliveries' | 'events') => world.database.collection(name);
  const countOf = (name: Parameters<typeof rows>[0], filter: object) => rows(name).countDocuments(filter as never);
  /** The whole school moves to where these reminders fall due in a moment; plans as they would be, or they were healed. */
  const due = async (offset: number) => {
    const starts_at = new Date(Date.now() + SOON_MS + offset * 60_000);
    await rows('events').updateMany({ ...BENCH } as never, { $set: { starts_at } as never });
    for (const other of OFFSETS) {
      const due_at = new Date(starts_at.getTime() - other * 60_000);
      await rows('reminders').updateMany({ offset: other, status: 'planned' } as never, {
        $set: { due_at, expires_at: starts_at } as never,
      });
    }
  };
  const told = (offset: number) => countOf('facts', { type: 'reminder.due', 'data.offset': offset });
  const sent = () => countOf('deliveries', { trigger: 'reminder.due', status: 'sent' });

  /** Each raised once, each person told once: looked at in the database and at the mail server. */
  async function expectEachOnce(offset: number, all: number): Promise<void> {
    await eventually(
      'all reminders are sent',
      async () => {
        await fastForwardUnknown(world);
        return (await sent()) >= all;
      },
      withinMs,
    );
    expect(await told(offset)).toBe(count);
    expect(await countOf('reminders', { offset, status: 'raised' })).toBe(count);
    expect(await countOf('deliveries', { trigger: 'reminder.due' })).toBe(all);
    const mails = world.accepted().filter(({ trigger, channel }) => trigger === 'reminder.due' && channel === 'email');
    expect(new Set(mails.map(({ message_id }) => message_id)).size).toBe(all);
    const again = await countOf('deliveries', { trigger: 'reminder.due', repeated: true });
    expect([mails.length, again]).toEqual([all, 0]);
  }

  test(
    `Redis emptied with ${count} planned reminders, and again while they are sent: each person is told once`,
    async () => {
      const redis = new Redis(world.redis.uri);
      await redis.flushall();
      await due(60);
      for (const share of [0.01, 0.4, 0.8]) {
        await eventually(`${share} of them`, async () => (await told(60)) >= count * share, withinMs);
        await redis.flushall();
      }
      await redis.quit();
      await expectEachOnce(60, count);
    },
    2 * withinMs,
  );

  test(
    'two clocks at work on the same reminders, killed again and again: each is raised once',
    async () => {
      const clocks = world.processes.filter(({ name }) => name === 'clock');
      await due(30);
      for (let kill = 1; kill <= 4; kill += 1) {
        await eventually(
          `those before kill ${kill}`,
          async () => (await told(30)) >= (kill - 1) * count * 0.2,
          withinMs,
        );
        const one = clocks.shift();
        one?.send('SIGKILL');
        await one?.exited;
        clocks.push(await world.start('clock'));
      }
      await expectEachOnce(30, 2 * count);
    },
    2 * withinMs,
  );

  test(
    `${count} events that start in the same minute are all moved, and another school’s cancellation does not wait`,
    async () => {
      // A concert of another tenant, with somebody who is to hear that it is off.
      const { body: concert } = await world.call('POST', E, draft({ registration_type: 'optional' }));
      expect((await world.call('POST', `${E}/${concert.id}/publish`)).status).toBe(200);
      const seat = await world.call('POST', `${E}/${concert.id}/registrations`, {
        kind: 'attendee',
        user_id: 'person-000000',
      });
      expect(seat.status).toBe(201);
      const starts_at = new Date(Date.now() + SOON_MS);
      await rows('events').updateMany({ ...BENCH } as never, { $set: { starts_at } as never });
      const started = () => countOf('events', { ...BENCH, status: 'in_progress' });
      await eventually('the first ones have started', async () => (await started()) > 0, withinMs);
      expect((await world.call('POST', `${E}/${concert.id}/cancel`, { reason: 'Storm' })).status).toBe(200);

      const starting = { trigger: 'event.starting', channel: 'in_app' };
      const isOver = async () => (await countOf('deliveries', { ...starting, status: 'sent' })) >= count;
      await eventually('everybody is told', isOver, withinMs);
      expect(await started()).toBe(count);
      expect(await countOf('facts', { type: 'event.started' })).toBe(count);
      const ended = async (filter: object) => {
        const found = (await world.deliveries(filter)) as { settled_at: Date | null }[];
        return found.map(({ settled_at }) => settled_at?.getTime() ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
      };
      const flood = await ended({ ...starting, status: 'sent' });
      const [cancelled = Number.NaN] = await ended({
        event_id: concert.id,
        trigger: 'event.cancelled',
        channel: 'email',
      });
      // Not behind the flood, though it was said when the flood had begun.
      expect(cancelled).toBeLessThan(flood.at(-1) ?? 0);
      const facts = (await rows('facts')
        .find({ type: 'event.started' } as never)
        .toArray()) as unknown as { occurred_at: Date }[];
      const moved = facts.map(({ occurred_at }) => occurred_at.getTime()).sort((a, b) => a - b);
      const cancelFact = (await rows('facts').findOne({ type: 'event.cancelled' } as never)) as unknown as {
        occurred_at: Date;
      };
      const late = (times: readonly number[], share: number) =>
        ((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN) - starts_at.getTime()) /
        1_000;
      console.log(
        `${count} starts: moved p50 ${late(moved, 0.5)} s, p99 ${late(moved, 0.99)} s, last ${late(moved, 1)} s; told p50 ${late(flood, 0.5)} s, p99 ${late(flood, 0.99)} s, last ${late(flood, 1)} s; the cancellation of another tenant ${(cancelled - cancelFact.occurred_at.getTime()) / 1_000} s`,
      );
    },
    3 * withinMs,
  );
}
