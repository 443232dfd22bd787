import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { contactOf, draft, E, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';

/** Marks the test's own commands, which don't count. */
const appName = 'command counter';
const SAMPLES = 5;
/** People of a small announcement. */
const FEW = 30;

let world: World;
let client: mongoose.mongo.MongoClient;
// Without a relay and a clock, and with loops that sleep for an hour, all commands belong to the path of a message.
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'fan-out', 'email'], env: { TICK_MS: '60000', SWEEP_MS: '3600000' } });
  client = await mongoose.mongo.MongoClient.connect(world.env.MONGODB_URI ?? '', { appName });
  await contactStore(world.database).putMany(Array.from({ length: FEW }, (_, n) => contactOf(n)));
  await client.db().command({ profile: 2 });
});
afterAll(async () => {
  await client?.close();
  await world?.end();
});

/** The commands of the product so far, like `find events`, without commits and the driver's questions. */
async function commands(): Promise<string[]> {
  const profiled = client.db().collection('system.profile');
  const found = await profiled.find({ appName: { $ne: appName }, 'command.hello': { $exists: false } }).toArray();
  return found.map(({ command, ns }) => `${Object.keys(command)[0]} ${ns}`);
}

/** Whether every message of the event was sent, and its facts are processed. */
async function isSent(event_id: string, mails: number): Promise<boolean> {
  const db = client.db();
  const sent = await db.collection('deliveries').countDocuments({ event_id, channel: 'email', status: 'sent' });
  return sent === mails && (await db.collection('facts').countDocuments({ event_id, relay: { $exists: true } })) === 0;
}

/** The fewest commands of several samples: once a second each worker also compares the age of the database. */
async function fewest(sample: (n: number) => Promise<unknown>): Promise<string[]> {
  let best: string[] | null = null;
  for (let n = 0; n < SAMPLES; n += 1) {
    const before = (await commands()).length;
    await sample(n);
    const used = (await commands()).slice(before);
    if (!best || used.length < best.length) best = used;
  }
  return best ?? [];
}

async function createDraft(more = {}): Promise<string> {
  return String((await world.call('POST', E, draft(more))).body.id);
}

async function publish(id: string): Promise<void> {
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('the announcement is sent', () => isSent(id, FEW));
}

test('a confirmation costs MongoDB at most 28 commands from the request to the recorded e-mail', async () => {
  const id = await createDraft({ registration_type: 'optional' });
  await publish(id);
  const used = await fewest(async (n) => {
    const user_id = contactOf(n).user_id;
    const as = await world.token({ ...SCHOOL, user_id, roles: ['student'], permissions: ['events.view'] });
    expect((await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as })).status).toBe(201);
    await eventually('the confirmation is sent', () => isSent(id, FEW + n + 1));
  });
  expect(used.length, used.join('\n')).toBeLessThanOrEqual(28);
});

test('an announcement for 30 people costs MongoDB at most 35 commands', async () => {
  const ids = await Promise.all(Array.from({ length: SAMPLES }, () => createDraft()));
  const used = await fewest((n) => publish(ids[n] ?? ''));
  expect(used.length, used.join('\n')).toBeLessThanOrEqual(35);
});
