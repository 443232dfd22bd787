import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { deliveryRowOf } from '../../../src/mongo/notifications/delivery-row.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { draft, E, eventually, openSchool, provideWorld, publishEvent, type World } from '../../support/world.ts';

let world: World = provideWorld({ env: { SWEEP_MS: '3600000' } });

const collection = (name: 'events' | 'facts' | 'deliveries') => world.database.collection(name);

async function createDraft(): Promise<string> {
  return (await world.call('POST', E, draft())).body.id as unknown as string;
}

const publish = () => publishEvent(world);

const announced = (event_id: string) =>
  eventually('the announcement is fanned out', async () => {
    const processed = { event_id, type: 'event.published', relay: { $exists: false } } as never;
    const unfinished = { event_id, relay: { $exists: true } } as never;
    const [done, left] = [
      await collection('facts').countDocuments(processed),
      await collection('facts').findOne(unfinished),
    ];
    return done > 0 && left === null;
  });

const isChanged = async (id: string) => {
  const untouched = { _id: id, status: 'waiting', queued_at: null } as never;
  return (await collection('deliveries').countDocuments(untouched)) === 0;
};

/** Stores a message about an event that no longer exists. @returns its id */
async function storeMessage(more: Parameters<typeof aDelivery>[0]): Promise<string> {
  const message = aDelivery({ id: randomUUID(), due_at: new Date(0), ...more });
  await collection('deliveries').insertOne(deliveryRowOf(message) as never);
  return message.id;
}

// They mostly wait, each for its own event or message.
describe.concurrent('while the loops would sleep for an hour', () => {
  beforeAll(async () => announced(await publish()));

  test('publishes an event that is scheduled meanwhile at its time', async () => {
    const id = await createDraft();
    const publish_at = new Date(Date.now() + 2_000).toISOString();
    expect((await world.call('POST', `${E}/${id}/schedule`, { publish_at })).status).toBe(200);
    await announced(id);
  });

  test('publishes the fact of an API that was killed after its commit', async () => {
    const event_id = await publish();
    await announced(event_id);
    const fact = await collection('facts').findOne({ event_id, type: 'event.published' } as never);
    await collection('facts').insertOne({ ...fact, _id: randomUUID(), relay: 'pending' } as never);
    await announced(event_id);
  });

  test('queues a message that has to be sent again', async () => {
    const id = await storeMessage({ status: 'unknown' });
    await collection('deliveries').updateOne({ _id: id } as never, { $set: { status: 'waiting' } });
    await eventually('it is queued', () => isChanged(id));
  });
});

describe('without a wake-up', () => {
  beforeAll(async () => {
    world = await openSchool();
  });

  test('finds a scheduled event, an unpublished fact and messages within SWEEP_MS', async () => {
    const [scheduled, published] = [await createDraft(), await publish()];
    await announced(published);
    const dueSoon = { status: 'scheduled', publish_at: new Date(Date.now() + 1_000) };
    await collection('events').updateOne({ _id: scheduled } as never, { $set: dueSoon });
    const lost = { event_id: published, type: 'event.published' } as never;
    await collection('facts').updateOne(lost, { $set: { relay: 'pending' } });
    const messages = [await storeMessage({}), await storeMessage({ expires_at: new Date(0) })];
    await announced(scheduled);
    await announced(published);
    for (const id of messages) await eventually('it is found', () => isChanged(id));
  });
});
