import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { type Caller, scopeOf } from './caller.ts';
import type { Contact } from './contact.ts';
import { type ContactFields, contactFrom } from './contact-rules.ts';
import { mustBeAllowed } from './permissions.ts';
import type { ContactStore } from './ports.ts';

/**
 * Stores one person in the directory of the caller's school, replaceWrites an earlier record. Idempotent.
 * @returns the contact, and whether it is new
 * @throws Refused `forbidden`, `validation_failed`
 */
export async function putContact(
  deps: { contacts: ContactStore; clock: Clock },
  caller: Caller,
  input: Partial<ContactFields> & { user_id: string },
): Promise<{ contact: Contact; created: boolean }> {
  mustBeAllowed(caller, 'manage_contacts');
  const result = contactFrom(input);
  if ('faults' in result) throw invalid(result.faults);
  const contact: Contact = { ...scopeOf(caller), ...result.contact, updated_at: deps.clock.now() };
  const { inserted } = await deps.contacts.putMany([contact]);
  return { contact, created: inserted > 0 };
}
