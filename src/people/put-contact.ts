import type { Clock } from '../core/clock.ts';
import { type FieldFault, fault, invalid } from '../core/errors.ts';
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

/** One line of an import: its value, or why it can't be read. */
export type ImportLine = { line: number; value: unknown } | { line: number; unreadable: string };

type Imported = {
  received: number;
  inserted: number;
  replaced: number;
  faulty_count: number;
  /** the first hundred */
  faulty: { line: number; errors: FieldFault[] }[];
};

const BATCH = 500;
const FAULTS_SHOWN = 100;

/**
 * Imports people into the caller's directory in batches, with the memory of one batch. Faulty lines are reported and skipped;
 * the others are stored, even if the stream breaks off. Importing the same lines again changes nothing; of several lines for
 * one person, the last counts.
 * @throws Refused `forbidden`
 */
export async function importContacts(
  deps: { contacts: ContactStore; clock: Clock },
  caller: Caller,
  lines: AsyncIterable<ImportLine>,
): Promise<Imported> {
  mustBeAllowed(caller, 'manage_contacts');
  const done: Imported = { received: 0, inserted: 0, replaced: 0, faulty_count: 0, faulty: [] };
  const batch = new Map<string, Contact>();
  const write = async () => {
    if (batch.size === 0) return;
    const { inserted, replaced } = await deps.contacts.putMany([...batch.values()]);
    done.inserted += inserted;
    done.replaced += replaced;
    batch.clear();
  };
  for await (const entry of lines) {
    done.received += 1;
    const result = 'value' in entry ? contactFrom(entry.value) : { faults: [fault('', entry.unreadable, 'json')] };
    if ('faults' in result) {
      done.faulty_count += 1;
      if (done.faulty.length < FAULTS_SHOWN) done.faulty.push({ line: entry.line, errors: result.faults.slice(0, 20) });
      continue;
    }
    // Batches are written unordered, so a batch must not contain a person twice.
    if (batch.size >= BATCH || batch.has(result.contact.user_id)) await write();
    batch.set(result.contact.user_id, { ...scopeOf(caller), ...result.contact, updated_at: deps.clock.now() });
  }
  await write();
  return done;
}
