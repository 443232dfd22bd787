import { afterEach, expect, test } from 'vitest';
import { draft, eventually, startWorld, type World } from '../support/world.ts';

const EVENTS = '/api/v1/operations/events';

let world: World;
afterEach(() => world?.end());

async function publish(): Promise<string> {
  const { body } = await world.call('POST', EVENTS, draft());
  expect((await world.call('POST', `${EVENTS}/${body.id}/publish`)).status).toBe(200);
  return String(body.id);
}

/** Waits until the fan-out has processed the event's announcement. */
const awaitFanOut = (event_id: string) =>
  eventually('the fact is processed', async () => {
    const processed = { event_id, type: 'event.published', relay: { $exists: false } } as never;
    return (await world.database.collection('facts').countDocuments(processed)) === 1;
  });

test('the API queues a fact right after its commit, so that the fan-out needs no relay', async () => {
  world = await startWorld({ start: ['api', 'fan-out'] });
  await awaitFanOut(await publish());
});

test('the relay queues the facts that were recorded while Redis was away', async () => {
  world = await startWorld({ start: ['api', 'relay', 'fan-out'] });
  await world.redis.kill();
  const id = await publish();
  await world.redis.restart({ empty: true });
  await awaitFanOut(id);
});
