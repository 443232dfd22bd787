import { byUserId } from '../core/groups.ts';
import { nameFilter } from '../core/plain-text.ts';
import type { SchoolEvent } from '../events/event.ts';
import { seriesIdOf } from '../events/rules/series.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import type { ContactStore } from '../people/ports.ts';
import type { Acknowledgement, AcknowledgementStore } from './acknowledgement.ts';
import { readConcerned } from './concerned.ts';

/** A person who should have read it, with the people who can confirm that, and the confirmation, if there is one. */
export type Acknowledged = {
  person: Contact;
  readers: Contact[];
  acknowledgement: Acknowledgement | null;
};

export const READ_STATES = ['confirmed', 'open'] as const;
type ReadState = (typeof READ_STATES)[number];
type ReadCounts = Record<ReadState, number>;

type Deps = { contacts: ContactStore; acknowledgements: AcknowledgementStore };

/** Lists everyone who should have read an event or a message of the school, by name. */
export async function listAcknowledged(deps: Deps, event: SchoolEvent): Promise<Acknowledged[]> {
  const given = await deps.acknowledgements.listOfEvent(event, seriesIdOf(event));
  const byPerson = byUserId(given);
  const all: Acknowledged[] = [];
  for await (const { person, readers } of readConcerned(deps, event))
    all.push({ person, readers, acknowledgement: byPerson.get(person.user_id) ?? null });
  return all.sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
}

type ForecastDeps = {
  facts: FactStore;
  deliveries: {
    /** People to whom a message that asks for confirmation was sent, or will be by then, other than in the inbox. */
    findAskedBy(scope: Scope, event_ids: readonly string[], at: Date): Promise<ReadonlySet<string>>;
  };
};

/** Finds the people of whom no reader is sent a message by `at`. @param open the people who have not confirmed */
export async function findMissed(
  { facts, deliveries }: ForecastDeps,
  event: SchoolEvent,
  open: readonly Acknowledged[],
  at: Date,
): Promise<Acknowledged[]> {
  const leads = await facts.findLeads(event, [event.id], ['event.published']);
  const asked = await deliveries.findAskedBy(event, [event.id, ...leads], at);
  return open.filter(({ readers }) => !readers.some(({ user_id }) => asked.has(user_id)));
}

/** The position of a person in the list. */
export const positionOf = ({ person: { name, user_id } }: Pick<Acknowledged, 'person'>): string => `${name} ${user_id}`;

const names = new Intl.Collator('en');

/** Orders positions by name as a dictionary does: Čermák between Cerny and Dvorak. */
export const comparePositions = (a: string, b: string): number => names.compare(a, b) || Number(a > b) - Number(a < b);

const stateOf = ({ acknowledgement }: Acknowledged): ReadState => (acknowledgement ? 'confirmed' : 'open');

export function countAcknowledged(all: readonly Acknowledged[]): ReadCounts {
  const confirmed = all.filter((one) => stateOf(one) === 'confirmed').length;
  return { confirmed, open: all.length - confirmed };
}

/** Orders classes as people do: 9.A before 10.A. */
export const compareClasses = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });

/** The counts of each class, by its id; someone in several classes counts in each. */
export function countByClass(all: readonly Acknowledged[]): ({ class_id: string } & ReadCounts)[] {
  const counts = new Map<string, ReadCounts>();
  for (const one of all)
    for (const class_id of one.person.class_ids) {
      const count = counts.get(class_id) ?? { confirmed: 0, open: 0 };
      count[stateOf(one)] += 1;
      counts.set(class_id, count);
    }
  return [...counts]
    .map(([class_id, count]) => ({ class_id, ...count }))
    .sort((a, b) => compareClasses(a.class_id, b.class_id));
}

/** People of this state and class whose name contains a word beginning with each word of `name`. */
export function filterAcknowledged(
  all: readonly Acknowledged[],
  { state, class_id, name = '' }: Partial<Record<'state' | 'class_id' | 'name', string | undefined>>,
): Acknowledged[] {
  const isNamed = nameFilter(name);
  return all.filter(
    (one) =>
      (state === undefined || stateOf(one) === state) &&
      (class_id === undefined || one.person.class_ids.includes(class_id)) &&
      isNamed(one.person.name),
  );
}
