import type { Scope } from '../../people/caller.ts';
import type { Contact } from '../../people/contact.ts';
import type { Database } from '../database.ts';

/**
 * Everything by which a person could be recognized besides their id, as far as it is stored.
 * @returns known: this school has them in its directory or had them registered
 */
export async function secretsOf(
  database: Database,
  own: Scope & { user_id: string },
  events: () => AsyncGenerator<string[]>,
): Promise<{ known: boolean; secrets: ReadonlySet<string>; registration_ids: string[] }> {
  const secrets = new Set<string>();
  const registration_ids: string[] = [];
  const contact = (await database.collection('contacts').findOne(own as never)) as unknown as Contact | null;
  for (const address of [contact?.email, contact?.phone]) if (address) secrets.add(address);
  for await (const event_ids of events()) {
    const filter = { ...own, event_id: { $in: event_ids } };
    const found = database.collection('registrations').find(filter as never, { projection: { contact: 1 } });
    for await (const row of found) {
      const { _id, contact: snapshot } = row as unknown as { _id: string; contact: Partial<Contact> | null };
      registration_ids.push(_id);
      for (const address of [snapshot?.email, snapshot?.phone]) if (address) secrets.add(address);
    }
    // Where they were reached before the directory told another address: it may be remembered as barred.
    for (const address of await database.collection('deliveries').distinct('address', filter as never))
      if (address) secrets.add(address);
  }
  for (const address of secrets) if (await isOthersToo(database, own, address)) secrets.delete(address);
  return { known: contact !== null || registration_ids.length > 0, secrets, registration_ids };
}

/** A family's mailbox stays everybody else's who has it. */
async function isOthersToo(
  database: Database,
  { tenant_id, school_id, user_id }: Scope & { user_id: string },
  address: string,
) {
  const others = { tenant_id, school_id, user_id: { $ne: user_id }, $or: [{ email: address }, { phone: address }] };
  return (await database.collection('contacts').countDocuments(others as never, { limit: 1 })) > 0;
}
