import type { Clock } from '../core/clock.ts';
import { type FieldFault, fault, mustBeValid } from '../core/errors.ts';
import { type Caller, type Scope, scopeOf } from './caller.ts';
import { type Contact, type ContactInput, completed, guardianFaults } from './contact.ts';
import type { ContactStore } from './ports.ts';

/**
 * Stores one person in the directory of the caller's school, or replaces an earlier record. Idempotent.
 * @returns the contact, and whether it is new
 * @throws Refused `validation_failed`
 */
export async function putContact(
  deps: { contacts: ContactStore; clock: Clock },
  caller: Caller,
  input: ContactInput,
): Promise<{ contact: Contact; created: boolean }> {
  mustBeValid(guardianFaults(input));
  const given: Contact = { ...scopeOf(caller), ...completed(input), updated_at: deps.clock.now() };
  const [contact = given] = await withRoster(deps.contacts, caller, [given]);
  const { inserted } = await deps.contacts.putMany([contact]);
  return { contact, created: inserted > 0 };
}

/**
 * The same people, marked as brought by a roster if they were, so that a later roster without them says that they have left.
 * A person who had left comes back by hand, and no roster that lacks them takes them away again.
 */
async function withRoster(contacts: ContactStore, scope: Scope, people: readonly Contact[]): Promise<Contact[]> {
  const ids = people.map(({ user_id }) => user_id);
  const rostered = (await contacts.findMany(scope, ids)).filter(({ in_roster, left_at }) => in_roster && !left_at);
  const kept = new Set(rostered.map(({ user_id }) => user_id));
  return people.map((person) => (kept.has(person.user_id) ? { ...person, in_roster: true } : person));
}

/** One line of an import: its value, or why it can't be read. */
export type ImportLine = { line: number; value: unknown } | { line: number; unreadable: string };

const BATCH = 500;
const FAULTS_SHOWN = 100;

/**
 * Imports people into the caller's directory in batches, with the memory of one batch. Faulty lines are reported and skipped;
 * if the stream breaks off, the lines before are stored. Importing the same lines again changes nothing; of several lines
 * for one person, the last counts.
 */
export async function importContacts(
  deps: { contacts: ContactStore; clock: Clock },
  caller: Caller,
  lines: AsyncIterable<ImportLine>,
  faultsOf: (value: unknown) => FieldFault[],
) {
  const faulty: { line: number; errors: FieldFault[] }[] = [];
  const done = { received: 0, inserted: 0, replaced: 0, faulty_count: 0, faulty };
  const batch = new Map<string, Contact>();
  const write = async () => {
    if (batch.size === 0) return;
    const people = [...batch.values()];
    // Before it is written, so that a batch that fails is not written again at the end.
    batch.clear();
    const { inserted, replaced } = await deps.contacts.putMany(await withRoster(deps.contacts, caller, people));
    done.inserted += inserted;
    done.replaced += replaced;
  };
  try {
    for await (const entry of lines) {
      done.received += 1;
      const errors = 'value' in entry ? faultsOf(entry.value) : [fault('', entry.unreadable, 'json')];
      if (errors.length > 0 || !('value' in entry)) {
        done.faulty_count += 1;
        if (faulty.length < FAULTS_SHOWN) faulty.push({ line: entry.line, errors: errors.slice(0, 20) });
        continue;
      }
      const contact = completed(entry.value as ContactInput);
      // Batches are written unordered, so a batch must not contain a person twice.
      if (batch.size >= BATCH || batch.has(contact.user_id)) await write();
      batch.set(contact.user_id, { ...scopeOf(caller), ...contact, updated_at: deps.clock.now() });
    }
  } finally {
    await write();
  }
  return done;
}
