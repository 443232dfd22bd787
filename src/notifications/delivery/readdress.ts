import type { Scope } from '../../people/caller.ts';
import { descriptorOf } from '../../people/channels.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import { loadContacts } from '../../people/find-people.ts';
import type { ContactStore } from '../../people/ports.ts';
import type { Delivery } from '../delivery.ts';
import { digestKeyOf } from '../policy/draft-deliveries.ts';
import { readersOf } from '../policy/recipients.ts';
import type { DeliveryStore } from '../ports.ts';
import { idsOf } from './digests.ts';

type Deps = { contacts: Pick<ContactStore, 'findMany'>; deliveries: Pick<DeliveryStore, 'changeAddresses'> };

/**
 * Gives messages of one school that have waited the address of today's directory, and queues those again that have changed:
 * holidays last for weeks, staff choose a time days ahead, and retry messages after they corrected an address. Those of a
 * composed digest keep theirs, because it may have arrived.
 * @returns the ids of those
 */
export async function readdress(deps: Deps, scope: Scope, rows: readonly Delivery[]): Promise<ReadonlySet<string>> {
  const old = rows.filter(
    (row) => (row.held_until ?? row.redriven_at) !== null && row.address !== null && row.digest_id === null,
  );
  if (old.length === 0) return new Set();
  const readers = old.flatMap(readersOf).map(({ user_id }) => user_id);
  const contacts = await loadContacts(deps, scope, readers);
  const changed = old.flatMap((row) => {
    const address = currentAddress(row, contacts);
    return address === row.address
      ? []
      : { ...row, address, digest_key: row.digest_key && digestKeyOf({ ...row, address }) };
  });
  if (changed.length > 0) await deps.deliveries.changeAddresses(changed);
  return new Set(idsOf(changed));
}

/** The address while one of the readers has it, else that of the first who has any; null: none has. Unverified ones stay. */
export function currentAddress(row: Delivery, contacts: ReadonlyMap<string, Contact>): string | null {
  const { reaches } = descriptorOf(row.channel);
  if ((reaches !== 'email' && reaches !== 'phone') || row.given_by !== null) return row.address;
  const known = readersOf(row).flatMap(({ user_id }) => contacts.get(user_id) ?? []);
  if (known.length === 0) return row.address;
  const addresses = known.flatMap((contact) => contact[reaches] ?? []);
  const isSame = (one: string) => row.address !== null && sameAddressForm(one) === sameAddressForm(row.address);
  return addresses.some(isSame) ? row.address : (addresses[0] ?? null);
}
