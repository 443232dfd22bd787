import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/stores/contact-store.ts';
import { contactOf, draft, eventually, startWorld, type World } from '../support/world.ts';
import { checkMails, fastForwardUnknown, isSettled, isWorkedOff } from './checks.ts';

const PEOPLE = 2_000;
const E = '/api/v1/operations/events';
const addresses = Array.from({ length: PEOPLE }, (_, n) => `person-${n}@people.example`);

let world: World;
beforeAll(async () => {
  world = await startWorld();
  for (let i = 0; i < PEOPLE; i += 1000) {
    await contactStore(world.database).putMany(Array.from({ length: 1000 }, (_, n) => contactOf(i + n)));
  }
});
afterAll(() => world?.end());

async function create(): Promise<string> {
  const { status, body } = await world.call('POST', E, draft());
  expect(status).toBe(201);
  return String(body.id);
}

const done = (id: string) => async () => {
  await fastForwardUnknown(world);
  return (await isWorkedOff(world)) && (await isSettled(world, id));
};

test('Redis emptied in the midst of 2,000 messages loses none and doubles none', async () => {
  const id = await create();
  const redis = new Redis(world.redis.uri);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  for (const share of [0, 0.2, 0.5]) {
    await eventually(`${share} of the mails`, () => world.smtp.count >= PEOPLE * share);
    await redis.flushall();
  }
  await redis.quit();
  await eventually('everything settled', done(id), 60_000);
  checkMails(world, addresses, { extra: 0 });
  expect(await world.database.collection('inbox').countDocuments({ event_id: id } as never)).toBe(PEOPLE);
}, 180_000);

test('while Redis is down the API answers, and work moves within ten seconds of its return', async () => {
  const id = await create();
  const before = world.smtp.count;
  await world.redis.kill();
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await world.redis.restart({ empty: true });
  const back = Date.now();
  await eventually('the first mail', () => world.smtp.count > before, 10_000);
  expect(Date.now() - back).toBeLessThan(10_000);
  await eventually('everything settled', done(id), 60_000);
  expect(world.smtp.count - before).toBe(PEOPLE);
}, 180_000);

test('the same publish asked twice with one Idempotency-Key tells everyone once', async () => {
  const id = await create();
  const before = world.smtp.count;
  const headers = { 'idempotency-key': 'publish-once' };
  const [first, second] = await Promise.all([
    world.call('POST', `${E}/${id}/publish`, undefined, { headers }),
    world.call('POST', `${E}/${id}/publish`, undefined, { headers }),
  ]);
  expect([first.status, second.status].sort()).toEqual([200, expect.any(Number)]);
  const again = await world.call('POST', `${E}/${id}/publish`, undefined, { headers });
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  await eventually('everything settled', done(id), 60_000);
  expect(world.smtp.count - before).toBe(PEOPLE);
}, 180_000);

test('every process ends in order although Redis is gone', async () => {
  await world.redis.kill();
  const ends = world.processes.map(async (process) => {
    process.send('SIGTERM');
    return { name: process.name, ...(await process.exited) };
  });
  for (const end of await Promise.all(ends)) expect(end).toMatchObject({ code: 0, signal: null });
}, 180_000);
