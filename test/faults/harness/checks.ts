import { expect } from 'vitest';
import { groupBy } from '../../../src/core/groups.ts';
import { OPEN_STATUSES } from '../../../src/notifications/delivery.ts';
import { eventually, type World } from '../../support/world.ts';

/**
 * Checks the mails that the stand-in received: each wanted address has one, no other address has any, and there are at most
 * 20 second copies, with the Message-ID of the first, and no third.
 */
export function checkMails(world: World, wanted: readonly string[]): void {
  const mails = world.accepted().filter((line) => line.channel === 'email');
  const recipients = new Set(mails.map((line) => line.recipient));
  expect(wanted.filter((address) => !recipients.has(address))).toEqual([]);
  expect([...recipients].filter((address) => !wanted.includes(address))).toEqual([]);
  const copies = mails.length - recipients.size;
  expect(copies).toBeLessThanOrEqual(20);
  const thrice = groupBy(mails, (line) => line.recipient).filter((of) => of.length > 2);
  expect(thrice.map(([mail]) => mail?.recipient)).toEqual([]);
  // One Message-ID per recipient, to distinguish a second copy from a second message.
  expect(new Set(mails.map((line) => line.message_id)).size).toBe(recipients.size);
}

/** Whether every delivery has a result, or every one that fits the filter. */
const allDeliveriesFinished = async (world: World, filter: object): Promise<boolean> => {
  const open = { ...filter, status: { $in: OPEN_STATUSES } };
  return (await world.database.collection('deliveries').countDocuments(open as never, { limit: 1 })) === 0;
};

/** Whether every fact is fanned out, or every one that fits the filter. */
export const allFactsProcessed = async (world: World, filter: object = {}): Promise<boolean> =>
  (await world.database.collection('facts').countDocuments({ ...filter, relay: { $exists: true } } as never)) === 0;

/** Resolves when every fact of the world's tenant is processed, or every one that fits the filter. */
export const untilFactsProcessed = (world: World, filter: object = {}): Promise<void> =>
  eventually('all facts are processed', () =>
    allFactsProcessed(world, { tenant_id: world.scope.tenant_id, ...filter }),
  );

/** Resolves when every fact of the world's tenant is processed and every message has its result, or all that fit the filter. */
export const untilIdle = (world: World, filter: object = {}): Promise<void> => {
  const own = { tenant_id: world.scope.tenant_id, ...filter };
  return eventually(
    'all messages are finished',
    async () => (await allFactsProcessed(world, own)) && (await allDeliveriesFinished(world, own)),
    60_000,
  );
};

/** Skips the minute that an unknown outcome waits. */
export async function skipUnknownWait(world: World): Promise<void> {
  await world.database
    .collection('deliveries')
    .updateMany({ status: 'unknown' } as never, { $set: { due_at: new Date(0) } });
}

/** Makes waiting messages due now. */
export async function skipWait(world: World, filter: object): Promise<void> {
  const waiting = { ...filter, status: 'waiting' };
  await world.database.collection('deliveries').updateMany(waiting as never, { $set: { due_at: new Date(0) } });
  await world.wake();
}

/** Ends the leases of dead e-mail workers. Call it only if no living one has a lease. */
export async function endLeases(world: World): Promise<void> {
  await world.database
    .collection('deliveries')
    .updateMany({ channel: 'email', lease_until: { $type: 'date' } } as never, { $set: { lease_until: new Date(0) } });
}

/** Skips every delay of an event's messages: before another try, and for an unknown outcome. */
async function skipDelays(world: World, event_id: string): Promise<void> {
  const late = { event_id, status: { $in: ['waiting', 'unknown'] }, due_at: { $gt: new Date() } };
  await world.database.collection('deliveries').updateMany(late as never, { $set: { due_at: new Date(0) } });
  await world.wake();
}

/** Waits until every message of the event has a result, and skips their delays. */
export const finishDeliveries = (world: World, event_id: string): Promise<void> =>
  eventually(
    'all messages are finished',
    async () => {
      await skipDelays(world, event_id);
      return (await allFactsProcessed(world)) && (await allDeliveriesFinished(world, { event_id }));
    },
    60_000,
  );
