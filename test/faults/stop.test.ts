import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { pushSubscriptionStore } from '../../src/mongo/people/push-subscription-store.ts';
import type { Contact } from '../../src/people/contact.ts';
import type { WorkerName } from '../../src/queues/names.ts';
import { QUEUE_OF } from '../../src/queues/names.ts';
import { createSemaphore } from '../support/semaphore.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';

const E = '/api/v1/operations/events';
const PEOPLE = 200;
const SHUTDOWN_MS = 8_000;
const people = Array.from({ length: PEOPLE }, (_, n) => contactOf(n, { phone: `+4206${String(n).padStart(8, '0')}` }));

let world: World;
beforeAll(async () => {
  const rate = String(PEOPLE / 4);
  const env = { EMAIL_RATE: rate, SMS_RATE: rate, PUSH_RATE: rate, IN_APP_RATE: rate };
  // A message may hang for longer than a process has to stop.
  const slow = { SHUTDOWN_MS: String(SHUTDOWN_MS), SEND_TIMEOUT_MS: '30000', LEASE_MS: '40000' };
  world = await startWorld({ start: ['api', 'relay', 'fan-out'], env: { ...env, ...slow } });
  await contactStore(world.database).putMany(people);
  const store = pushSubscriptionStore(world.database);
  for (const { user_id } of people) {
    const { endpoint, keys } = world.push.subscribe(user_id, world.vapidPublicKey);
    await store.put({ ...SCHOOL, id: user_id, user_id, endpoint, keys, created_at: new Date() });
  }
});
afterAll(() => world?.end());

async function publish(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.call('POST', E, draft(more));
  expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  return String(body.id);
}

const statuses = async (event_id: string, channel: string) =>
  (await world.deliveries({ event_id, channel })).map(({ status }) => String(status));

const isHeld = (status: string): boolean => status === 'claimed' || status === 'sending';

/** Stops a worker by SIGTERM while it sends. @returns messages that it left leased or being sent */
async function stopMidway(name: WorkerName, channel: string, event_id: string) {
  const worker = await world.start(name);
  const isMidway = async () => {
    const all = await statuses(event_id, channel);
    return all.includes('sent') && all.includes('sending');
  };
  await eventually('some are sent and some are being sent', isMidway, 60_000);
  const from = performance.now();
  worker.send('SIGTERM');
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - from).toBeLessThan(SHUTDOWN_MS);
  return statuses(event_id, channel);
}

test('workers of all channels exit with 0 in time after SIGTERM and leave nothing leased or being sent', async () => {
  const id = await publish();
  const forAll = ['email', 'push', 'in_app'] as const;
  const left = await Promise.all(forAll.map((channel) => stopMidway(QUEUE_OF[channel], channel, id)));
  expect(left.flat().filter(isHeld)).toEqual([]);
  for (const statuses of left) expect(statuses).toContain('waiting');
}, 120_000);

test('an SMS worker exits in time after SIGTERM too', async () => {
  const id = await publish({ registration_type: 'optional', target_audience: ['staff'] });
  const inTurn = createSemaphore(50);
  const register = ({ user_id }: Contact) =>
    inTurn(() => world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id }));
  await Promise.all(people.map(register));
  const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms'] };
  expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
  const left = await stopMidway('sms', 'sms', id);
  expect(left.filter(isHeld)).toEqual([]);
  expect(left).toContain('waiting');
}, 120_000);
