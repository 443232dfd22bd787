import type { ContactStore } from '../../people/ports.ts';
import { maySee } from '../../people/visibility.ts';
import type { Delivery } from '../delivery.ts';
import type { NamedDate } from '../policy/named-dates.ts';
import { readersOf, subjectsOf } from '../policy/readers.ts';
import { groupByGuardian, parentsAmong } from '../policy/recipients.ts';
import { ruleOf } from '../policy/trigger.ts';

/** People of an audience who may no longer see an event, by event. */
export type LostVisibility = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Loads the people of an audience who may no longer see the dates of a message. Reads the directory only for corrections and
 * for events that have changed since the announcement; otherwise the check of the fan-out is still valid.
 */
export async function loadLostVisibility(
  deps: { contacts: Pick<ContactStore, 'findMany' | 'childrenOf'> },
  all: readonly Delivery[],
  dates: readonly NamedDate[],
): Promise<LostVisibility> {
  // Registered people stay recipients of messages about their event, even if they may not see it.
  const rows = all.filter(isOfAudience);
  const [first] = rows;
  if (!first) return NONE_LOST;
  const { recipients } = ruleOf(first.trigger);
  if (recipients !== 'audience' && recipients !== 'registered') return NONE_LOST;
  const changed = dates.filter(({ event, fact }) => recipients === 'registered' || event.updated_at > fact.occurred_at);
  const [date] = changed;
  if (!date) return NONE_LOST;
  const user_ids = [...new Set(rows.flatMap((row) => readersOf(row).flatMap(subjectsOf)).map((one) => one.user_id))];
  const contacts = await deps.contacts.findMany(date.event, user_ids);
  const parents = parentsAmong(contacts);
  const children = groupByGuardian(parents.length > 0 ? await deps.contacts.childrenOf(date.event, parents) : []);
  const viewers = contacts.map((one) => ({ ...one, children: children.get(one.user_id) ?? [] }));
  return new Map(
    changed.map(({ event }) => {
      const visibleTo = new Set(viewers.filter((one) => maySee(one, event)).map(({ user_id }) => user_id));
      return [event.id, new Set(user_ids.filter((user_id) => !visibleTo.has(user_id)))];
    }),
  );
}

const isOfAudience = (row: Delivery): boolean => row.registration_ids.length === 0;

const NONE_LOST: LostVisibility = new Map();
