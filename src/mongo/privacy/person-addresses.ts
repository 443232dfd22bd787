import { fromKeys } from '../../core/objects.ts';
import { OPEN_STATUSES } from '../../notifications/delivery.ts';
import type { Scope } from '../../people/caller.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import type { Database } from '../database.ts';
import { escapedPattern } from '../rows.ts';

/** `current`: of the directory; `ever`: also those it had when a message was sent. */
type Addresses = { current: string[]; ever: string[] };

/**
 * Finds the addresses of a person that no one else in the directories of the tenant has. Those that were entered with a
 * registration are left out: they may be a stranger's.
 */
export async function findAddresses(
  database: Database,
  own: Scope & { user_id: string },
  events: () => AsyncIterable<{ ids: string[] }>,
): Promise<Addresses> {
  const contacts = database.collection('contacts');
  const current = addressesIn(await contacts.findOne(own));
  const ever = new Set(current);
  for await (const { ids } of events()) {
    const filter = { ...own, event_id: { $in: ids }, given_by: null };
    for (const address of await database.collection('deliveries').distinct('address', filter))
      if (typeof address === 'string') ever.add(address);
  }
  const others = { tenant_id: own.tenant_id, $nor: [own], addresses: { $in: [...ever].map(sameAddressForm) } };
  const shared = new Set(await contacts.distinct('addresses', others));
  const isTheirs = (address: string) => !shared.has(sameAddressForm(address));
  return { current: current.filter(isTheirs), ever: [...ever].filter(isTheirs) };
}

/** Reads the suppressions of the addresses that the directory has for a person. */
export async function readSuppressions(database: Database, own: Scope & { user_id: string }): Promise<object[]> {
  const address = { $in: addressesIn(await database.collection('contacts').findOne(own)).map(sameAddressForm) };
  const filter = { tenant_id: own.tenant_id, schools: own.school_id, address };
  const projection = { _id: 0, tenant_id: 0, schools: 0 };
  return database.collection('suppressions').find(filter, { projection }).toArray();
}

/** Removes suppressions of addresses that no one has any more. @returns how many */
export async function removeSuppressions(database: Database, { tenant_id }: Scope, { ever }: Addresses) {
  if (ever.length === 0) return 0;
  const theirs = { tenant_id, address: { $in: ever.map(sameAddressForm) } };
  return (await database.collection('suppressions').deleteMany(theirs)).deletedCount;
}

/**
 * Takes the person's addresses out of registrations and messages of others: a parent may have given theirs for a child.
 * Only those of the directory, since anybody may give any address with a registration.
 */
export async function removeFromOthers(database: Database, within: object, { current }: Addresses): Promise<void> {
  if (current.length === 0) return;
  const theirs = { $in: spellings(current) };
  for (const field of ['contact.email', 'contact.phone'])
    await database.collection('registrations').updateMany({ ...within, [field]: theirs }, { $set: { [field]: null } });
  const deliveries = database.collection('deliveries');
  const toThem = { ...within, address: theirs };
  await deliveries.updateMany({ ...toThem, status: { $in: OPEN_STATUSES } }, [
    { $set: { status: 'skipped', reason: 'erased', settled_at: '$$NOW' } },
    { $unset: ['claim', 'lease_until', 'queued_at', 'news'] },
  ]);
  await deliveries.updateMany(toThem, { $unset: { address: '' } });
}

/** Gives messages that are not sent yet to the next reader of their address; those without another reader stay as they are. */
export async function passOnMessages(database: Database, theirs: object): Promise<void> {
  const waiting = { ...theirs, status: { $in: OPEN_STATUSES }, 'also.0': { $exists: true } };
  const next = fromKeys(['user_id', 'name', 'on_behalf_of'], (field) => ({ $first: `$also.${field}` }));
  const others = { $slice: ['$also', 1, { $size: '$also' }] };
  // A worker that has read the row must not send the old version; the callbacks of one that is being sent name its fence.
  const isSent = { $in: ['$status', ['sending', 'unknown']] };
  const fence = { $add: [{ $ifNull: ['$fence', 0] }, { $cond: [isSent, 0, 1] }] };
  await database.collection('deliveries').updateMany(waiting, [{ $set: { ...next, also: others, fence } }]);
}

const addressesIn = (contact: Pick<Contact, 'email' | 'phone'> | null): string[] =>
  [contact?.email, contact?.phone].filter((address) => typeof address === 'string');

/** Matches the addresses as people type them, since the first letter on a phone is a capital. */
const spellings = (addresses: readonly string[]): RegExp[] =>
  addresses
    .flatMap((address) => [address, sameAddressForm(address)])
    .map((address) => new RegExp(`^${escapedPattern(address)}$`, 'i'));
