import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IN_INBOX } from '../../src/mongo/notifications/delivery-row.ts';
import { E, eventually, provideWorld, publishEvent, sharedWorld, type World } from '../support/world.ts';
import { meanwhile } from './harness/crew.ts';
import { expectPromises } from './harness/expect-promises.ts';
import { IS_SUITE, limitMs, type Row, row } from './harness/row.ts';
import { busyHour, openSchool } from './harness/school.ts';

/** Time within which work resumes after Redis is back. */
const RESUMES_MS = 10_000;

let redis: Redis;
// No worker dies, so no send and no lease may run out because the machine is slow.
const own = IS_SUITE ? provideWorld({ env: { SEND_TIMEOUT_MS: '15000', LEASE_MS: '20000' } }) : null;
let world: World;
beforeAll(async () => {
  world = own ?? (await sharedWorld());
  redis = new Redis(world.redis.uri);
  redis.on('error', () => {});
});
afterAll(async () => {
  redis?.disconnect();
});

type Fault = { begin(): Promise<unknown>; end(): Promise<unknown> };

/** Redis fails while people register and messages are sent; the API acknowledges an announcement without it. */
async function survive({ random, size, note }: Row, { begin, end }: Fault, awayMs: number): Promise<void> {
  const people = size(20_000, 60);
  const school = await openSchool(world, { people, push: 10, random });
  const busy = busyHour(school, random, size(200, 25));
  await delay(random.int(0, 1_000));
  await begin();
  await Promise.all([busy, delay(awayMs)]);
  const before = world.smtp.count;
  const event = await school.announce();
  expect(school.ledger.slowestMs, 'ms until the API answered').toBeLessThan(limitMs(RESUMES_MS));
  await end();
  const back = Date.now();
  await eventually('the first mail', () => world.smtp.count > before, 60_000);
  const resumedMs = Date.now() - back;
  note({ 'resumed after': `${(resumedMs / 1_000).toFixed(1)} s` });
  await expectPromises({ note }, world, school, {}, back);
  expect(await world.database.collection('deliveries').countDocuments({ event_id: event, ...IN_INBOX } as never)).toBe(
    people,
  );
  expect(resumedMs, 'ms until the first mail after Redis was back').toBeLessThanOrEqual(limitMs(RESUMES_MS));
}

row(
  'redis-killed',
  'a Redis killed and started without its data loses nothing, and work resumes within 10 s',
  (it) =>
    survive(
      it,
      { begin: () => world.redis.kill(), end: () => world.redis.restart({ empty: true }) },
      it.random.int(0, 2_000),
    ),
  { inCi: true },
);

row('redis-away', 'Redis away for minutes loses nothing, and work resumes within 10 s', (it) =>
  survive(it, { begin: () => world.redis.kill(), end: () => world.redis.restart() }, it.size(180_000, 30_000)),
);

row('redis-full', 'Redis out of memory loses nothing, and work resumes within 10 s', (it) =>
  survive(
    it,
    {
      begin: () => redis.config('SET', 'maxmemory', '1mb'),
      end: () => redis.config('SET', 'maxmemory', '0'),
    },
    it.size(60_000, 10_000),
  ),
);

row('redis-emptied', 'repeatedly emptying Redis loses nothing and repeats nothing', async ({ random, size, note }) => {
  const school = await openSchool(world, { people: size(20_000, 1_000), random });
  const times = size(20, 4);
  const busy = busyHour(school, random, size(200, 40));
  await meanwhile(
    busy,
    times,
    () => redis.flushall(),
    () => random.int(100, size(5_000, 700)),
  );
  note({ emptied: times });
  await expectPromises({ note }, world, school);
});

test('the waitlist worker promotes into free seats while Redis is away, and records the cause', async () => {
  const id = await publishEvent(world, { registration_type: 'optional', max_attendees: 3, waitlist_enabled: true });
  const registrations = `${E}/${id}/registrations`;
  const people = Array.from({ length: 8 }, (_, n) => ({ kind: 'attendee', user_id: `waiting-${n}` }));
  const { body } = await world.call('POST', `${registrations}/family`, { people });
  const causes = async () => {
    const { body } = await world.call('GET', `${registrations}?status=confirmed`);
    return (body.data as unknown as { promoted_because: string | null }[])
      .flatMap(({ promoted_because }) => promoted_because ?? [])
      .sort();
  };
  await world.redis.kill();
  const registered = body.data as unknown as { registration: { id: string } }[];
  const registration_ids = registered.slice(0, 2).map(({ registration }) => registration.id);
  expect((await world.call('POST', `${registrations}/cancel`, { registration_ids })).status).toBe(202);
  await expect.poll(causes).toEqual(['many_cancelled', 'many_cancelled']);
  expect((await world.call('PATCH', `${E}/${id}`, { max_attendees: 5 })).status).toBe(200);
  // Without Redis a sweep finds it.
  await expect
    .poll(causes, { timeout: 60_000 })
    .toEqual(['capacity_raised', 'capacity_raised', 'many_cancelled', 'many_cancelled']);
  await world.redis.restart();
});
