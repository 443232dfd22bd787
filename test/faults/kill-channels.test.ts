import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerName } from '../../src/local/system.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import { pushSubscriptionStore } from '../../src/stores/push-subscription-store.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';
import { endLeases, hurry, isWorkedOff } from './checks.ts';

const E = '/api/v1/operations/events';
const PEOPLE = Number(process.env.PEOPLE ?? 240);
const KILLS = Number(process.env.KILLS ?? 3);
const people = Array.from({ length: PEOPLE }, (_, n) => contactOf(n, { phone: `+4206${String(n).padStart(8, '0')}` }));

let world: World;
beforeAll(async () => {
  // Slow enough to be killed in the midst of it.
  const env = { SMS_RATE: '60', PUSH_RATE: '60', IN_APP_RATE: '60' };
  world = await startWorld({ start: ['api', 'relay', 'fan-out'], env });
  await contactStore(world.database).putMany(people);
  const store = pushSubscriptionStore(world.database);
  for (const { user_id } of people) {
    const { endpoint, keys } = world.push.subscribe(user_id, world.vapidPublicKey);
    await store.put({ ...SCHOOL, id: user_id, user_id, endpoint, keys, created_at: new Date() });
  }
}, 60_000);
afterAll(() => world?.end());

async function publish(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.call('POST', E, draft(more));
  expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  return String(body.id);
}

const isEnded = async (id: string, channel: string): Promise<boolean> => {
  await hurry(world, id);
  const rows = await world.deliveries({ event_id: id, channel });
  return (
    rows.length >= PEOPLE &&
    rows.every(({ status }) => !['waiting', 'claimed', 'sending', 'unknown'].includes(status)) &&
    isWorkedOff(world)
  );
};

/** Kills the channel's only worker again and again while it works, and lets the last one finish. */
async function killAgainAndAgain(name: WorkerName, channel: string, id: string, done: () => number | Promise<number>) {
  let worker = await world.start(name);
  for (let kill = 1; kill <= KILLS; kill++) {
    await eventually(`those before kill ${kill}`, async () => (await done()) >= (kill * PEOPLE) / (KILLS + 2));
    worker.send('SIGKILL');
    await worker.exited;
    await endLeases(world, channel);
    worker = await world.start(name);
  }
  await eventually('everything settled', () => isEnded(id, channel), 90_000);
  await worker.stop();
}

test('an in-app worker killed again and again: everyone has it once', async () => {
  const id = await publish();
  const inbox = world.database.collection('inbox');
  await killAgainAndAgain('in-app', 'in_app', id, () => inbox.countDocuments({ event_id: id } as never));
  const entries = (await inbox.find({ event_id: id } as never).toArray()) as unknown as { user_id: string }[];
  expect(entries).toHaveLength(PEOPLE);
  expect(new Set(entries.map(({ user_id }) => user_id)).size).toBe(PEOPLE);
}, 120_000);

test('a push worker killed again and again: everyone has it, and a repeat takes the place of the first', async () => {
  const id = await publish();
  const ours = () => world.accepted().filter((line) => line.channel === 'push' && line.event === id);
  await killAgainAndAgain('push', 'push', id, () => ours().length);
  const topics = new Map<string, Set<string | null>>();
  for (const { recipient, topic = null } of ours())
    topics.set(recipient, (topics.get(recipient) ?? new Set()).add(topic));
  expect(topics.size).toBe(PEOPLE);
  expect([...topics.values()].filter((of) => of.size !== 1 || of.has(null))).toEqual([]);
}, 120_000);

test('an SMS worker killed again and again: nobody is reminded twice, and who may not have heard is known', async () => {
  const id = await publish({ registration_type: 'optional', target_audience: ['staff'] });
  await Promise.all(
    people.map(({ user_id }) => world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id })),
  );
  await eventually('the registrations', () => isWorkedOff(world));
  const before = world.twilio.count;
  world.twilio.callBack(() => []);
  const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms'] };
  expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
  await killAgainAndAgain('sms', 'sms', id, () => world.twilio.count - before);
  const heard = world.twilio.messages.slice(-(world.twilio.count - before)).map(({ to }) => to);
  expect(new Set(heard).size).toBe(heard.length);
  const rows = await world.deliveries({ event_id: id, channel: 'sms' });
  const doubtful = rows.filter((row) => !heard.includes(row.address ?? ''));
  expect(doubtful.map(({ status }) => status)).toEqual(Array(PEOPLE - heard.length).fill('sent_unconfirmed'));
}, 120_000);
