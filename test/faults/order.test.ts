import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/app/config/config.ts';
import { queueSettings } from '../../src/app/queues.ts';
import { startWorld, type World } from '../support/world.ts';
import { expectPromises, waitForRest } from './expect-promises.ts';
import { row, seededRandom } from './row.ts';
import { busyHour, openSchool } from './school.ts';

const E = '/api/v1/operations/events';

let world: World;
beforeAll(async () => {
  world = await startWorld({ env: { LOG_LEVEL: 'debug' } });
}, 120_000);
afterAll(() => world?.end());

row(
  'last-word',
  'the cancellation is the last message about an event that is published, postponed and cancelled within moments',
  async ({ random, size, note }) => {
    const events = size(500, 30);
    const school = await openSchool(world, { people: 30, random });
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const one = async () => {
      const event = await school.openEvent();
      const whom = random.shuffled(school.people).slice(0, 3);
      await school.register(event, whom);
      school.allow(event, 'event.postponed', ['email', 'sms', 'in_app'], whom);
      // The second publication is for those registered, if it is sent before the cancellation.
      school.allow(event, 'event.published', ['email', 'push', 'in_app'], whom);
      await school.ask(`${E}/${event}/postpone`, { new_start_date: day, reason: 'Rain' });
      await school.ask(`${E}/${event}/publish`);
      await school.cancel(event);
    };
    for (let i = 0; i < events; i += 30) await Promise.all(Array.from({ length: Math.min(30, events - i) }, one));
    note({ events });
    await expectPromises({ note }, world, school);
  },
  { inCi: true },
);

row(
  'replayed-facts',
  'facts published again from the start and jobs added twice change nothing',
  async ({ random, size, note }) => {
    const school = await openSchool(world, { people: size(10_000, 200), push: 20, random });
    await busyHour(school, random, size(200, 40));
    await expectPromises({ note }, world, school);

    const { tenant_id } = school.scope;
    const mails = await world.deliveries({ tenant_id, channel: 'email', status: 'sent' });
    const facts = world.database.collection<{ tenant_id: string; relay?: string }>('facts');
    const { modifiedCount } = await facts.updateMany({ tenant_id }, { $set: { relay: 'pending' } });
    const { url, prefix } = queueSettings(readConfig(world.env, ['mongo', 'redis']));
    const queue = new Queue('email', { connection: { url }, prefix });
    const ids = mails.map(({ _id }) => _id);
    const jobs = random.shuffled([...ids, ...ids]).map((id) => ({ name: 'again', data: { ids: [id], tenant_id } }));
    await queue.addBulk(jobs);
    await queue.close();
    note({ facts: modifiedCount, jobs: jobs.length });
    await expectPromises({ note }, world, school);
  },
);

test('Redis and the logs hold no address, number or name of a person', async () => {
  const school = await openSchool(world, { people: 100, random: seededRandom('privacy') });
  await school.announce();
  await waitForRest(world, [school]);
  const redis = new Redis(world.redis.uri);
  const held: string[] = [];
  for (const key of await redis.keys('*')) held.push(key, JSON.stringify(await contentOf(redis, key)));
  await redis.quit();
  const logged = world.processes.flatMap(({ log }) => log.map((line) => JSON.stringify(line)));
  const personal = (text: string) => /@row-[\d-]+\.example|\+42\d{10}|Person \d/.test(text);
  expect([...held, ...logged].filter(personal)).toEqual([]);
  expect(personal(JSON.stringify(school.people[0]))).toBe(true);
  expect(held.length).toBeGreaterThan(0);
  expect(logged.some((line) => line.includes('delivery.sent'))).toBe(true);
});

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'set':
      return redis.smembers(key);
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return redis.get(key);
  }
}
