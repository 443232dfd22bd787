import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Registration } from '../../src/registrations/registration.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';
import { checkMails, isSettled, isWorkedOff } from './checks.ts';

const PEOPLE = 2_000;
const E = '/api/v1/operations/events';

let world: World;
beforeAll(async () => {
  world = await startWorld({ env: { LOG_LEVEL: 'debug' } });
  for (let i = 0; i < PEOPLE; i += 1000) {
    await contactStore(world.database).putMany(
      Array.from({ length: 1000 }, (_, n) => contactOf(i + n, { phone: `+4206${String(i + n).padStart(8, '0')}` })),
    );
  }
});
afterAll(() => world?.end());

const quiet = () =>
  eventually('all is settled', async () => (await isWorkedOff(world)) && (await isSettled(world)), 60_000);

async function publishedEvent(): Promise<string> {
  const { body } = await world.call('POST', E, draft({ registration_type: 'optional', target_audience: ['staff'] }));
  expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  return String(body.id);
}

test('published, postponed and cancelled at once: the last word everyone hears is the cancellation', async () => {
  const events = 30;
  const registrants = ['person-000001', 'person-000002', 'person-000003'];
  const ids = await Promise.all(Array.from({ length: events }, publishedEvent));
  for (const id of ids) {
    for (const user_id of registrants)
      await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id });
  }
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await Promise.all(
    ids.map(async (id) => {
      await world.call('POST', `${E}/${id}/postpone`, { new_start_date: day, reason: 'Rain' });
      await world.call('POST', `${E}/${id}/publish`);
      await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' });
    }),
  );
  await quiet();
  const mails = world.accepted().filter((line) => line.channel === 'email');
  for (const id of ids) {
    for (const n of [1, 2, 3]) {
      const heard = mails.filter((mail) => mail.event === id && mail.recipient === `person-${n}@people.example`);
      const triggers = heard.map((mail) => mail.trigger);
      expect(triggers.at(-1)).toBe('event.cancelled');
      expect(new Set(triggers).size).toBe(triggers.length);
    }
  }
}, 180_000);

test('workers told to stop and replaced in the midst of 2,000 messages lose none and double none', async () => {
  const before = world.accepted().length;
  const { body } = await world.call('POST', E, draft({ title: 'For everyone' }));
  await world.call('POST', `${E}/${body.id}/publish`);
  const mailed = () => world.accepted().filter((line) => line.event === body.id).length;
  for (const share of [0.1, 0.4, 0.7]) {
    await eventually(`${share} of the mails`, () => mailed() >= PEOPLE * share);
    const old = world.processes.filter(
      ({ name, log }) => name === 'email' && !log.some((line) => line.msg === 'process.stopping'),
    );
    const started = world.start('email');
    for (const worker of old) worker.send('SIGTERM');
    for (const worker of old) expect(await worker.exited).toEqual({ code: 0, signal: null });
    await started;
  }
  await quiet();
  expect(world.accepted().length - before).toBe(PEOPLE);
  checkMails({ ...world, accepted: () => world.accepted().filter((line) => line.event === body.id) }, allAddresses(), {
    extra: 0,
  });
}, 180_000);

const allAddresses = () => Array.from({ length: PEOPLE }, (_, n) => `person-${n}@people.example`);

test('Redis and the logs hold no address, number or name of a person', async () => {
  const redis = new Redis(world.redis.uri);
  const held: string[] = [];
  for (const key of await redis.keys('*')) held.push(key, JSON.stringify(await contentOf(redis, key)));
  await redis.quit();
  const logged = world.processes.flatMap(({ log }) => log.map((line) => JSON.stringify(line)));
  const personal = (text: string) => /@people\.example|\+4206\d{8}|Person \d/.test(text);
  expect([...held, ...logged].filter(personal)).toEqual([]);
  expect(personal(JSON.stringify(contactOf(1)))).toBe(true);
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

test('counters of seats equal the rows after many registered and left at once', async () => {
  const { body } = await world.call(
    'POST',
    E,
    draft({
      registration_type: 'required',
      registration_deadline: new Date(Date.now() + 86_400_000).toISOString(),
      max_attendees: 5,
      waitlist_enabled: true,
      target_audience: ['staff'],
    }),
  );
  const id = String(body.id);
  await world.call('POST', `${E}/${id}/publish`);
  const people = Array.from({ length: 12 }, (_, n) => `person-${String(n).padStart(6, '0')}`);
  const made = await Promise.all(
    people.map((user_id) => world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id })),
  );
  expect(made.map(({ status }) => status)).toEqual(people.map(() => 201));
  const leaving = made.filter(({ body }) => String(body.status) === 'confirmed').slice(0, 3);
  await Promise.all(leaving.map(({ body }) => world.call('POST', `${E}/${id}/registrations/${body.id}/cancel`, {})));
  const rows = (await world.database
    .collection('registrations')
    .find({ event_id: id } as never)
    .toArray()) as never as Registration[];
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const { body: event } = await world.call('GET', `${E}/${id}`);
  expect({ confirmed: count('confirmed'), waitlisted: count('waitlisted'), cancelled: count('cancelled') }).toEqual({
    confirmed: 5,
    waitlisted: 4,
    cancelled: 3,
  });
  expect(event).toMatchObject({ current_attendees: 5, available_spots: 0 });
  const waiting = rows.filter((row) => row.status === 'waitlisted').map((row) => row.waitlist_number);
  expect(Math.min(...(waiting as number[]))).toBe(4);
  expect(rows.every((row) => row.tenant_id === SCHOOL.tenant_id)).toBe(true);
}, 180_000);
