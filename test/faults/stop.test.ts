import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushSubscriptionStore } from '../../src/mongo/people/people-stores.ts';
import { contactOf, E, type OwnWorld, publishEvent, putPeople, SCHOOL, startWorld } from '../support/world.ts';
import { atMessages, latest, momentOf } from './harness/crew.ts';

const PEOPLE = 24;
const CHANNELS = ['email', 'sms', 'push'] as const;
const people = Array.from({ length: PEOPLE }, (_, n) => contactOf(n, { phone: `+4206${String(n).padStart(8, '0')}` }));

let world: OwnWorld;
beforeAll(async () => {
  const rate = String(PEOPLE / 4);
  const env = { EMAIL_RATE: rate, SMS_RATE: rate, PUSH_RATE: rate };
  // A message may hang for longer than a process has to stop.
  const slow = { SHUTDOWN_MS: '20000', SEND_TIMEOUT_MS: '30000', LEASE_MS: '40000' };
  world = await startWorld({ start: ['api'], env: { ...env, ...slow } });
  await putPeople(world, people);
  const store = pushSubscriptionStore(world.database);
  for (const { user_id } of people) {
    const { endpoint, keys } = world.push.subscribe(user_id, world.vapidPublicKey);
    await store.put({ ...SCHOOL, id: user_id, user_id, endpoint, keys, created_at: new Date() });
  }
});
afterAll(() => world?.end());

const statuses = async (event_id: string, channel: string) =>
  (await world.deliveries({ event_id, channel, trigger: 'message' })).map(({ status }) => String(status));

const isHeld = (status: string): boolean => status === 'claimed' || status === 'sending';

test('a worker of all channels exits with 0 in time after SIGTERM and leaves nothing leased or being sent', async () => {
  // Without other notifications, so that the workers have nothing but this message to send.
  const id = await publishEvent(world, { registration_type: 'optional', send_notifications: false });
  const register = (user_id: string) => world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id });
  const registered = await Promise.all(people.map(({ user_id }) => register(user_id)));
  for (const { status } of registered) expect(status).toBe(201);
  const message = { subject: 'Boots', body: 'Bring them.', channels: CHANNELS };
  expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
  // So early that no channel has sent to all.
  const moment = momentOf(PEOPLE / 2, () => latest(world, 'all').send('SIGTERM'));
  for (const channel of CHANNELS) atMessages(world, channel, moment.call);
  const worker = await world.start('all');
  // A process that is not done after SHUTDOWN_MS exits with 1.
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  const left = await Promise.all(CHANNELS.map((channel) => statuses(id, channel)));
  expect(left.flat().filter(isHeld)).toEqual([]);
  for (const statuses of left) expect(statuses).toContain('waiting');
});

test('a worker that npm started ends in order if npm gets SIGTERM', async () => {
  const npm = spawn('npm', ['run', 'worker', '--', 'waitlist'], { env: { ...process.env, ...world.env } });
  let log = '';
  npm.stdout.on('data', (bytes) => {
    log += bytes;
  });
  await expect.poll(() => log, { timeout: 20_000 }).toContain('process.started');
  npm.kill('SIGTERM');
  expect(await once(npm, 'exit')).toEqual([0, null]);
  expect(log).toContain('process.stopped');
});

test('the API takes an import that ends within SHUTDOWN_MS after SIGTERM to its end', async () => {
  const api = latest(world, 'api');
  const line = (n: number): string => `${JSON.stringify({ user_id: `late-${n}`, name: 'Late', roles: ['student'] })}\n`;
  const body = async function* () {
    for (let n = 0; n < 12; n += 1) {
      yield Buffer.from(line(n));
      await delay(1_000);
      if (n === 0) api.send('SIGTERM');
    }
  };
  const url = `${world.apiUrl}/api/v1/operations/contacts/import`;
  const caller = { ...SCHOOL, user_id: 'staff-1', roles: ['staff'], permissions: ['events.contacts.manage'] } as const;
  const headers = { authorization: `Bearer ${await world.token(caller)}`, 'content-type': 'application/x-ndjson' };
  const request = { method: 'POST', headers, body: ReadableStream.from(body()), duplex: 'half' } as const;
  const answer = await fetch(url, request);
  expect(await answer.json()).toMatchObject({ received: 12, inserted: 12 });
  expect(await api.exited).toEqual({ code: 0, signal: null });
});
