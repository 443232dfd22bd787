import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { ContactStore } from '../../people/ports.ts';
import { maySee } from '../../people/visibility.ts';
import type { Delivery } from '../delivery.ts';
import { readersOf, subjectsOf } from '../policy/readers.ts';
import { groupByGuardian, parentsAmong } from '../policy/recipients.ts';
import { ruleOf } from '../policy/trigger.ts';

/**
 * Whom of an announcement's audience the event is hidden from by now. Asked only where the event was changed since it
 * was announced, until then the fan-out's own look is good, and of those whom an announcement is corrected to. Those
 * registered keep hearing of what they signed up for.
 */
export async function unseenBy(
  deps: { contacts: Pick<ContactStore, 'findMany' | 'childrenOf'> },
  all: readonly Delivery[],
  { event, fact }: { event: SchoolEvent; fact: Fact },
): Promise<ReadonlySet<string>> {
  // Who is registered keeps hearing of it: an announcement after a postponement is for them too.
  const rows = all.filter(isOfAudience);
  const [first] = rows;
  if (!first) return NOBODY;
  const { recipients } = ruleOf(first.trigger);
  if (recipients !== 'audience' && recipients !== 'registered') return NOBODY;
  if (recipients === 'audience' && event.updated_at <= fact.occurred_at) return NOBODY;
  const user_ids = [...new Set(rows.flatMap((row) => readersOf(row).flatMap(subjectsOf)).map((one) => one.user_id))];
  const contacts = await deps.contacts.findMany(event, user_ids);
  const parents = parentsAmong(contacts);
  const children = groupByGuardian(parents.length > 0 ? await deps.contacts.childrenOf(event, parents) : []);
  const seeing = contacts.filter((one) => maySee({ ...one, children: children.get(one.user_id) ?? [] }, event));
  const seen = new Set(seeing.map(({ user_id }) => user_id));
  return new Set(user_ids.filter((user_id) => !seen.has(user_id)));
}

const isOfAudience = (row: Delivery): boolean => row.registration_ids.length === 0;

const NOBODY: ReadonlySet<string> = new Set();
