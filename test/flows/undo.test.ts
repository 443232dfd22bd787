import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { untilIdle } from '../faults/harness/checks.ts';
import { contactOf, draft, E, eventually, type OwnWorld, startWorld } from '../support/world.ts';

const PEOPLE = 40;

let world: OwnWorld;
beforeAll(async () => {
  // Slow enough that a change comes in the middle of an announcement.
  world = await startWorld({ env: { EMAIL_RATE: '20' }, start: ['api', 'all'] });
  await contactStore(world.database).putMany(Array.from({ length: PEOPLE }, (_, n) => contactOf(n)));
});
afterAll(() => world?.end());

async function created(): Promise<string> {
  const { status, body } = await world.call('POST', E, draft({ target_audience: ['students'] }));
  expect(status).toBe(201);
  return String(body.id);
}

/** Changes an event, by default so that it can't be undone. @returns the id to undo it with */
async function change(id: string, action: string, seconds = 0): Promise<string> {
  const { status, body } =
    action === 'delete'
      ? await world.call('DELETE', `${E}/${id}?hold_seconds=${seconds}`)
      : await world.call(
          'POST',
          `${E}/${id}/${action}?hold_seconds=${seconds}`,
          action === 'cancel' ? { reason: 'Storm' } : undefined,
        );
  expect(status).toBe(200);
  return String((body.undo as { change_id?: string } | undefined)?.change_id);
}

async function undo(change_id: string): Promise<void> {
  expect((await world.call('POST', `/api/v1/operations/changes/${change_id}/undo`)).status).toBe(200);
}

const mailsOf = (id: string) => world.accepted().filter((line) => line.event === id && line.channel === 'email');
const sent = (id: string) => mailsOf(id).map(({ trigger, recipient }) => `${trigger} ${recipient}`);
const toAll = (trigger: string) =>
  Array.from({ length: PEOPLE }, (_, n) => `${trigger} person-${n}@people.example`).sort();

async function settled(id: string): Promise<void> {
  const held = world.database.collection('held_changes');
  await eventually('nothing is held', async () => (await held.countDocuments({ state: 'held' })) === 0);
  await untilIdle(world);
  const rows = await world.deliveries({ event_id: id });
  expect(rows.filter(({ status }) => status === 'waiting')).toEqual([]);
}

test.each(['cancel', 'delete'])(
  'an announcement under way reaches everyone once if the event’s %s is undone',
  async (action) => {
    const id = await created();
    await change(id, 'publish');
    await eventually('some announcements are sent', () => mailsOf(id).length > 3);
    const change_id = await change(id, action, 5);
    const waiting = { event_id: id, detail: 'the last change of the event can be undone' };
    await eventually('messages wait for the undo', async () => (await world.deliveries(waiting)).length > 0);
    expect(mailsOf(id).length).toBeLessThan(PEOPLE);
    await undo(change_id);
    await settled(id);
    expect(sent(id).sort()).toEqual(toAll('event.published'));
  },
);

test('a publication that is undone sends nothing, and the next one reaches everyone once', async () => {
  const id = await created();
  await undo(await change(id, 'publish', 3));
  const other = await created();
  await change(other, 'publish', 1);
  await settled(other);
  expect(sent(other).sort()).toEqual(toAll('event.published'));
  expect([sent(id), await world.deliveries({ event_id: id })]).toEqual([[], []]);
  await change(id, 'publish', 1);
  await settled(id);
  expect(sent(id).sort()).toEqual(toAll('event.published'));
});

async function killWorkers(): Promise<void> {
  const running = world.processes.filter((one) => one.name === 'all' && one.isRunning);
  for (const one of running) one.send('SIGKILL');
  await eventually('they are dead', () => running.every((one) => !one.isRunning));
}

test('an announcement that no worker has begun reaches everyone once if the event’s unpublish is undone', async () => {
  const id = await created();
  await killWorkers();
  await change(id, 'publish');
  const change_id = await change(id, 'unpublish', 20);
  await world.start('all');
  // The fan-out would find no one who may see a draft.
  const fact = { event_id: id, type: 'event.published' } as const;
  const facts = world.database.collection('facts');
  await eventually('a worker has had the fact', async () => (await facts.findOne(fact))?.handed_on_at !== undefined);
  await undo(change_id);
  await settled(id);
  expect(sent(id).sort()).toEqual(toAll('event.published'));
});

test('a held publication is sent once although every worker is killed meanwhile', async () => {
  const id = await created();
  await change(id, 'publish', 2);
  await killWorkers();
  const held = world.database.collection('held_changes');
  await eventually('it is due', async () => (await held.countDocuments({ release_at: { $lt: new Date() } })) > 0);
  expect(mailsOf(id)).toEqual([]);
  await world.start('all');
  await settled(id);
  expect(sent(id).sort()).toEqual(toAll('event.published'));
});
