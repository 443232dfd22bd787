import { afterAll, beforeAll, expect, test } from 'vitest';
import { draft, eventually, startWorld, type World } from '../support/world.ts';

const EVENTS = '/api/v1/operations/events';
/** So seldom that nothing of this file waits for it. */
const SELDOM_MS = 60_000;
const LONG_BEFORE_MS = SELDOM_MS / 3;

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'relay'], env: { TICK_MS: String(SELDOM_MS) } });
});
afterAll(() => world?.end());

async function publishAndHandOn(): Promise<void> {
  const { body } = await world.call('POST', EVENTS, draft());
  expect((await world.call('POST', `${EVENTS}/${body.id}/publish`)).status).toBe(200);
  const handedOn = { event_id: body.id, type: 'event.published', relay: 'handed_on' } as never;
  const isHandedOn = async () => (await world.database.collection('facts').countDocuments(handedOn)) === 1;
  await eventually('the fact is handed on', isHandedOn, LONG_BEFORE_MS);
}

test('the relay hands on what the API records long before it looks by itself, also after its cursor has died', async () => {
  await publishAndHandOn();
  await publishAndHandOn();
  await world.database.collection('fact_bells').drop();
  await world.database.setUp();
  await publishAndHandOn();
});

test('where no bell can be heard the relay finds facts when it looks by itself, and says nothing of it', async () => {
  const relay = await world.start('relay', { TICK_MS: '200' });
  // As it is where somebody rings before the collection is made.
  await world.database.collection('fact_bells').drop();
  await world.database.collection('fact_bells').insertOne({} as never);
  await publishAndHandOn();
  await publishAndHandOn();
  const began = performance.now();
  await relay.stop();
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(relay.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
});
