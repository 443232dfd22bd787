import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/stores/contact-store.ts';
import { contactOf, draft, eventually, startWorld, type World } from '../support/world.ts';
import { checkMails, isSettled, isWorkedOff } from './checks.ts';

const PEOPLE = 2_000;
const LEASE_MS = 4_000;
const E = '/api/v1/operations/events';
const addresses = Array.from({ length: PEOPLE }, (_, n) => `person-${n}@people.example`);

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'relay', 'fan-out', 'in-app'], env: { LEASE_MS: String(LEASE_MS) } });
  for (let i = 0; i < PEOPLE; i += 1000) {
    await contactStore(world.database).putMany(Array.from({ length: 1000 }, (_, n) => contactOf(i + n)));
  }
});
afterAll(() => world?.end());

async function publish(): Promise<string> {
  const { body } = await world.call('POST', E, draft());
  const id = String(body.id);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  return id;
}

test('an email worker killed in the midst of 2,000 messages loses none, repeats few and none twice', async () => {
  let worker = await world.start('email');
  const id = await publish();
  const kills = 3;
  for (let kill = 1; kill <= kills; kill++) {
    await eventually(`the mails before kill ${kill}`, () => world.smtp.count >= (kill * PEOPLE) / 5);
    worker.send('SIGKILL');
    await worker.exited;
    worker = await world.start('email');
  }
  await eventually(
    'everything is at rest within six leases',
    async () => (await isWorkedOff(world)) && (await isSettled(world, id)),
    6 * LEASE_MS,
  );
  // Copies are of what was on a connection and not recorded yet.
  checkMails(world, addresses, { extra: kills * 20 });
  expect(await world.database.collection('inbox').countDocuments({ event_id: id } as never)).toBe(PEOPLE);
  await worker.stop();
}, 120_000);

test('a fan-out worker killed again and again makes every row exactly once', async () => {
  const [fanOut] = world.processes.filter((process) => process.name === 'fan-out');
  let worker = fanOut;
  const id = await publish();
  for (let kill = 1; kill <= 3; kill++) {
    await eventually(
      `rows before kill ${kill}`,
      async () => (await world.deliveries({ event_id: id })).length > (kill - 1) * 1_500,
    );
    worker?.send('SIGKILL');
    await worker?.exited;
    worker = await world.start('fan-out');
  }
  await eventually('all worked off', () => isWorkedOff(world), 60_000);
  const rows = await world.deliveries({ event_id: id });
  expect(rows).toHaveLength(PEOPLE * 3);
  for (const channel of ['email', 'push', 'in_app']) {
    expect(new Set(rows.filter((row) => row.channel === channel).map((row) => row.user_id)).size).toBe(PEOPLE);
  }
  const inbox = world.database.collection('inbox');
  await eventually(
    'all inboxes',
    async () => (await inbox.countDocuments({ event_id: id } as never)) >= PEOPLE,
    60_000,
  );
  const entries = await inbox.find({ event_id: id } as never).toArray();
  const idsOf = (all: readonly { _id: unknown }[]) => all.map(({ _id }) => String(_id)).sort();
  expect(idsOf(entries)).toEqual(idsOf(rows.filter((row) => row.channel === 'in_app')));
}, 120_000);
