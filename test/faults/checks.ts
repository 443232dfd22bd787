import { expect } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { OPEN_STATUSES } from '../../src/notifications/delivery.ts';
import { eventually, type World } from '../support/world.ts';

/**
 * Whom the stand-ins heard from the product, checked without asking the product: nobody missing, no stranger, and at
 * most `extra` copies in all, none of them a third, each under the Message-ID of the first.
 */
export function checkMails(world: World, wanted: readonly string[], { extra }: { extra: number }): void {
  const mails = world.accepted().filter((line) => line.channel === 'email');
  const heard = new Set(mails.map((line) => line.recipient));
  expect(wanted.filter((address) => !heard.has(address))).toEqual([]);
  expect([...heard].filter((address) => !wanted.includes(address))).toEqual([]);
  const copies = mails.length - heard.size;
  expect(copies).toBeLessThanOrEqual(extra);
  const thrice = groupBy(mails, (line) => line.recipient).filter((of) => of.length > 2);
  expect(thrice.map(([mail]) => mail?.recipient)).toEqual([]);
  // One Message-ID per recipient, so that a second copy can be told from a second message.
  expect(new Set(mails.map((line) => line.message_id)).size).toBe(heard.size);
}

/** Every row has come to an end. */
export const isSettled = async (world: World, event_id?: string): Promise<boolean> => {
  const open = { status: { $in: OPEN_STATUSES }, ...(event_id ? { event_id } : {}) };
  return (await world.database.collection('deliveries').countDocuments(open as never, { limit: 1 })) === 0;
};

/** Facts nobody works on any more. */
export const isWorkedOff = async (world: World): Promise<boolean> =>
  (await world.database.collection('facts').countDocuments({ relay: { $exists: true } } as never)) === 0;

/** Lets the minute an unknown outcome is waited for pass at once. */
export async function fastForwardUnknown(world: World): Promise<void> {
  await world.database
    .collection('deliveries')
    .updateMany({ status: 'unknown' } as never, { $set: { due_at: new Date(0) } });
}

/** Lets the leases of dead processes run out at once; only where no living process of the channel holds any. */
export async function endLeases(world: World, channel: string): Promise<void> {
  await world.database
    .collection('deliveries')
    .updateMany({ channel, lease_until: { $type: 'date' } } as never, { $set: { lease_until: new Date(0) } });
}

/** Lets every wait of an event's messages pass at once: for another try, and for an unknown outcome. */
export async function hurry(world: World, event_id: string): Promise<void> {
  const late = { event_id, status: { $in: ['waiting', 'unknown'] }, due_at: { $gt: new Date() } };
  await world.database.collection('deliveries').updateMany(late as never, { $set: { due_at: new Date(0) } });
}

/** Until nothing of this event is open any more, every wait passing at once. */
export const everythingSettled = (world: World, event_id: string): Promise<void> =>
  eventually(
    'everything settled',
    async () => {
      await hurry(world, event_id);
      return (await isWorkedOff(world)) && (await isSettled(world, event_id));
    },
    60_000,
  );
