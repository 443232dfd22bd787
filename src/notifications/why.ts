import type { SchoolEvent } from '../events/event.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import type { ContactStore, SchoolStore } from '../people/ports.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import { absenceOf } from './absence.ts';
import type { Delivery } from './delivery.ts';
import { type Channel, TOLD_FACTS, type Trigger, triggerOf } from './trigger.ts';
import { absentInWords, decisionInWords } from './why-words.ts';

type Deps = {
  facts: Pick<FactStore, 'ofTypes'>;
  contacts: Pick<ContactStore, 'find' | 'childrenOf'>;
  registrations: Pick<RegistrationStore, 'ofPerson'>;
  schools: SchoolStore;
};

/** One decision about one person, in words for staff. */
export type Why = { trigger: Trigger; channel: Channel | null; at: Date; text: string };

const FACTS = 50;

/**
 * Why a person did or did not get the messages of an event: one sentence for each row that concerns them, their
 * guardians' included, and one for each of the latest messages that they have no row of. Reads only.
 * @param rows those that concern the person
 */
export async function explain(
  deps: Deps,
  event: SchoolEvent,
  { user_id, rows, locale }: { user_id: string; rows: readonly Delivery[]; locale: Locale },
): Promise<Why[]> {
  const scope: Scope = event;
  const decided = rows.map((row) => ({
    trigger: row.trigger,
    channel: row.channel,
    at: row.settled_at ?? row.created_at,
    text: decisionInWords(row, user_id, locale),
  }));
  const known = new Set(rows.map((row) => row.fact_id));
  const [facts, contact, registrations, school] = await Promise.all([
    deps.facts.ofTypes(scope, event.id, TOLD_FACTS, FACTS),
    deps.contacts.find(scope, user_id),
    deps.registrations.ofPerson(scope, event.id, user_id),
    deps.schools.find(scope),
  ]);
  const children = contact?.roles.includes('parent') ? await deps.contacts.childrenOf(scope, [user_id]) : [];
  const absent = facts.flatMap((fact): Why[] => {
    const trigger = triggerOf(fact);
    if (!trigger || known.has(fact.id)) return [];
    const absence = absenceOf({ fact, trigger, event, school, contact, children, registrations });
    return [{ trigger, channel: null, at: fact.occurred_at, text: absentInWords(absence, locale) }];
  });
  return [...decided, ...absent].sort((a, b) => b.at.getTime() - a.at.getTime());
}
