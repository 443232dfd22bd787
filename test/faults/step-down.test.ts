import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../src/audit.ts';
import { type LocalServer, startMongo } from '../../src/local/services.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';
import { checkMails, everythingSettled } from './checks.ts';

const E = '/api/v1/operations/events';
const PEOPLE = 60;
const SEATS = 20;
const addresses = Array.from({ length: PEOPLE }, (_, n) => `person-${n}@people.example`);

let mongo: LocalServer;
let world: World;
beforeAll(async () => {
  mongo = await startMongo({ own: true, cacheSizeGB: 0.25 });
  world = await startWorld({ mongodbUri: `${mongo.uri.replace(/\/[^/?]*\?/, '/stepdown?')}` });
  await contactStore(world.database).putMany(Array.from({ length: PEOPLE }, (_, n) => contactOf(n)));
});
afterAll(async () => {
  await world?.end();
  await mongo?.stop();
});

async function stepDown(): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(mongo.uri, { directConnection: true }).connect();
  try {
    const command = { replSetStepDown: 2, secondaryCatchUpPeriodSecs: 0, force: true };
    await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

/** As a client does whose answer was lost: with the same key, until there is one. */
async function register(id: string, user_id: string): Promise<{ id: string; status: string }> {
  const as = await world.token({ ...SCHOOL, user_id, roles: ['student'], permissions: ['events.view'] });
  for (;;) {
    const options = { as, headers: { 'idempotency-key': `register-${user_id}` } };
    const answer = await world
      .call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, options)
      .catch(() => null);
    if (answer?.status === 201) return answer.body as never;
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(`${user_id}: ${answer.status}`);
    await delay(100);
  }
}

test('MongoDB steps down and is killed while people register and mails go out: what was answered holds', async () => {
  const { body } = await world.call(
    'POST',
    E,
    draft({
      registration_type: 'required',
      registration_deadline: new Date(Date.now() + 86_400_000).toISOString(),
      max_attendees: SEATS,
      waitlist_enabled: true,
    }),
  );
  const id = String(body.id);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  const acknowledged = new Map<string, { id: string; status: string }>();
  const registering = Promise.all(
    Array.from({ length: PEOPLE }, async (_, n) => {
      const { user_id } = contactOf(n);
      // Not all at once: before, during and after.
      await eventually('their turn', () => acknowledged.size >= n - 12, 90_000);
      acknowledged.set(user_id, await register(id, user_id));
    }),
  );
  await eventually('the first ones', () => acknowledged.size >= 10);
  await stepDown();
  await eventually('more of them', () => acknowledged.size >= 30, 60_000);
  await mongo.restart({ signal: 'SIGKILL' });
  await registering;
  await everythingSettled(world, id);

  const rows = (await world.database
    .collection('registrations')
    .find({ event_id: id } as never)
    .toArray()) as unknown as {
    _id: string;
    user_id: string;
    status: string;
  }[];
  expect(rows).toHaveLength(PEOPLE);
  expect(rows.filter(({ status }) => status === 'confirmed')).toHaveLength(SEATS);
  for (const row of rows) expect(acknowledged.get(row.user_id)?.id).toBe(row._id);
  expect(await audit(world.env.MONGODB_URI ?? '', false)).toMatchObject({ faulty: 0 });
  const announced = { ...world, accepted: () => world.accepted().filter((line) => line.trigger === 'event.published') };
  // What was being marked when the database went away, twice.
  checkMails(announced, addresses, { extra: 2 * 4 * 25 });
  for (const process of world.processes) expect(process.log.filter(({ level }) => level === 'fatal')).toEqual([]);
}, 180_000);
