import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { ContactStore } from '../../people/ports.ts';
import { maySee } from '../../people/visibility.ts';
import type { Delivery } from '../delivery.ts';
import { readersOf, subjectsOf } from '../policy/readers.ts';
import { groupByGuardian, parentsAmong } from '../policy/recipients.ts';
import { ruleOf } from '../policy/trigger.ts';

/**
 * Loads the people of an audience who may no longer see the event. Reads the directory only for corrections and for events
 * that have changed since the announcement; otherwise the check of the fan-out is still valid.
 */
export async function loadLostVisibility(
  deps: { contacts: Pick<ContactStore, 'findMany' | 'childrenOf'> },
  all: readonly Delivery[],
  { event, fact }: { event: SchoolEvent; fact: Fact },
): Promise<ReadonlySet<string>> {
  // Registered people stay recipients of messages about their event, even if they may not see it.
  const rows = all.filter(isOfAudience);
  const [first] = rows;
  if (!first) return NO_PEOPLE;
  const { recipients } = ruleOf(first.trigger);
  if (recipients !== 'audience' && recipients !== 'registered') return NO_PEOPLE;
  if (recipients === 'audience' && event.updated_at <= fact.occurred_at) return NO_PEOPLE;
  const user_ids = [...new Set(rows.flatMap((row) => readersOf(row).flatMap(subjectsOf)).map((one) => one.user_id))];
  const contacts = await deps.contacts.findMany(event, user_ids);
  const parents = parentsAmong(contacts);
  const children = groupByGuardian(parents.length > 0 ? await deps.contacts.childrenOf(event, parents) : []);
  const withAccess = contacts.filter((one) => maySee({ ...one, children: children.get(one.user_id) ?? [] }, event));
  const visibleTo = new Set(withAccess.map(({ user_id }) => user_id));
  return new Set(user_ids.filter((user_id) => !visibleTo.has(user_id)));
}

const isOfAudience = (row: Delivery): boolean => row.registration_ids.length === 0;

const NO_PEOPLE: ReadonlySet<string> = new Set();
