import { groupBy } from '../../core/group-by.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { FACT_VERSION, type Fact } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import { draftDeliveries } from '../policy/draft-deliveries.ts';
import { triggerOf } from '../policy/trigger.ts';
import { recipientOf } from './audience-cursor.ts';
import { type FanOutDeps, occasionOf, store } from './fan-out.ts';
import { peopleOf, wantsPush } from './load-people.ts';

/** People read together; facts that concern more of them are worked on one by one. */
const PEOPLE = 1_000;

/**
 * Many small facts of one tenant in the reads and writes of one: what a fan-out costs is its questions, and a thousand
 * reminders of as many events have few recipients each. Comes in: ids of facts that come in floods. Guaranteed and may
 * repeat: as with `fanOut`.
 * @returns rows drafted, and the facts that are left to be worked on one by one
 */
export async function fanOutTogether(
  deps: FanOutDeps,
  fact_ids: readonly string[],
): Promise<{ rows: number; left: string[] }> {
  const facts = (await deps.facts.findMany(fact_ids)).filter(({ v }) => v <= FACT_VERSION);
  const telling = facts.filter((fact) => triggerOf(fact) !== null);
  const events = new Map((await deps.events.findMany(telling.map((fact) => fact.event_id))).map((e) => [e.id, e]));
  const left: string[] = [];
  let rows = 0;
  const sizeOf = (fact: Fact) => events.get(fact.event_id)?.current_attendees ?? 0;
  for (const ofSchool of groupBy(telling, (fact) => fact.school_id)) {
    for (const some = portions(ofSchool, sizeOf); some.length > 0; ) {
      const together = some.pop() ?? [];
      const drafted = await schoolsRows(deps, together, events);
      if (drafted !== null) rows += drafted;
      else if (together.length === 1) left.push(...together.map(({ id }) => id));
      else some.push(...halves(together));
    }
  }
  const done = facts.filter(({ id }) => !left.includes(id)).map(({ id }) => id);
  if (done.length > 0) await deps.facts.markProcessed(...done);
  return { rows, left };
}

/** As many as are likely to have no more people together than are read at a time: what is read in vain is read again. */
function portions(facts: readonly Fact[], sizeOf: (fact: Fact) => number): Fact[][] {
  const all: Fact[][] = [];
  let people = PEOPLE;
  for (const fact of facts) {
    people += sizeOf(fact);
    if (people >= PEOPLE) {
      all.push([]);
      people = sizeOf(fact);
    }
    all.at(-1)?.push(fact);
  }
  return all;
}

function halves<T>(all: readonly T[]): T[][] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(middle), all.slice(0, middle)];
}

/** @returns how many rows were drafted; null where there are too many people */
async function schoolsRows(
  deps: FanOutDeps,
  facts: readonly Fact[],
  events: ReadonlyMap<string, SchoolEvent>,
): Promise<number | null> {
  const [scope] = facts.map(scopeOf);
  if (!scope) return 0;
  const registered = await deps.registrations.confirmedOf(scope, [...new Set(facts.map((f) => f.event_id))], PEOPLE);
  if (registered.length === PEOPLE) return null;
  const user_ids = [...new Set(registered.map(({ user_id }) => user_id))];
  const [school, contacts] = await Promise.all([
    deps.schools.find(scope),
    user_ids.length > 0 ? deps.contacts.findMany(scope, user_ids) : [],
  ]);
  const contactOf = new Map(contacts.map((contact) => [contact.user_id, contact]));
  const ofEvent = new Map(groupBy(registered, ({ event_id }) => event_id).map((all) => [all[0]?.event_id, all]));
  const told = facts.flatMap((fact) => {
    const [event, trigger] = [events.get(fact.event_id), triggerOf(fact)];
    if (!event || !trigger) return [];
    const occasion = occasionOf(deps, { fact, trigger, event, school });
    const recipients = (ofEvent.get(event.id) ?? []).map((registration) => recipientOf(registration, contactOf));
    return recipients.length > 0 ? [{ occasion, recipients }] : [];
  });
  const all = told.flatMap(({ recipients }) => recipients);
  // Whose guardians, wishes and devices: the same for every fact of the school; one that may go to devices asks for them.
  const asks = told.find(({ occasion }) => wantsPush(occasion.fact)) ?? told[0];
  if (!asks) return 0;
  const people = await peopleOf(deps, asks.occasion, all);
  const now = deps.clock.now();
  const drafts = told.flatMap(({ occasion, recipients }) => draftDeliveries(occasion, recipients, people, now));
  return store(deps, drafts, now);
}
