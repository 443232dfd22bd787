import { afterAll, beforeAll, expect, test } from 'vitest';
import { draft, eventually, startWorld, type World } from '../support/world.ts';

const EVENTS = '/api/v1/operations/events';

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'fan-out'] });
});
afterAll(() => world?.end());

test('the API queues a fact right after its commit, so that the fan-out needs no relay', async () => {
  const { body } = await world.call('POST', EVENTS, draft());
  expect((await world.call('POST', `${EVENTS}/${body.id}/publish`)).status).toBe(200);
  await eventually('the fact is processed', async () => {
    const processed = { event_id: body.id, type: 'event.published', relay: { $exists: false } } as never;
    return (await world.database.collection('facts').countDocuments(processed)) === 1;
  });
});
