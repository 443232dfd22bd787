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
 * Gives messages of one school that were deferred, sent again by staff or written for a later time the address of today's
 * directory, and queues those again that have changed. Unverified addresses stay, and so do those of a composed digest,
 * which may have arrived.
 * @returns the ids of those
 */
export async function readdress(deps: Deps, scope: Scope, rows: readonly Delivery[]): Promise<ReadonlySet<string>> {
  const late = rows.filter(
    ({ held_until, redriven_at, address, given_by, digest_id }) =>
      (held_until ?? redriven_at) !== null && address !== null && given_by === null && digest_id === null,
  );
  if (late.length === 0) return new Set();
  const readers = late.flatMap(readersOf).map(({ user_id }) => user_id);
  const contacts = await loadContacts(deps, scope, readers);
  const changed = late.flatMap((row) => {
    const address = currentAddress(row, contacts);
    return address === row.address
      ? []
      : { ...row, address, digest_key: row.digest_key && digestKeyOf({ ...row, address }) };
  });
  if (changed.length > 0) await deps.deliveries.changeAddresses(changed);
  return new Set(idsOf(changed));
}

/** The address while one of the readers has it, else that of the first who has any; null: none has. */
function currentAddress(row: Delivery, contacts: ReadonlyMap<string, Contact>): string | null {
  const { reaches } = descriptorOf(row.channel);
  if (reaches !== 'email' && reaches !== 'phone') return row.address;
  const known = readersOf(row).flatMap(({ user_id }) => contacts.get(user_id) ?? []);
  if (known.length === 0) return row.address;
  const addresses = known.flatMap((contact) => contact[reaches] ?? []);
  const isSame = (one: string) => row.address !== null && sameAddressForm(one) === sameAddressForm(row.address);
  return addresses.some(isSame) ? row.address : (addresses[0] ?? null);
}
