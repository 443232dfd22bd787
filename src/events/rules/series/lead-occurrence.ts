import { groupBy } from '../../../core/groups.ts';
import type { NewFact } from '../../../outbox/fact.ts';
import { SEEN_FIELDS } from '../../../people/visibility.ts';
import type { Change } from '../../apply-plan.ts';
import type { SchoolEvent } from '../../event.ts';
import { canonical } from '../merge.ts';

/** A date of a series and the fact of which its people are notified. */
type Notice = { event: SchoolEvent; fact: NamingFact };
type NamingFact = Extract<NewFact, { type: (typeof NAMING)[number] }>;

/** Facts whose message may name several dates. */
export const NAMING = [
  'event.published',
  'event.unpublished',
  'event.cancelled',
  'event.postponed',
  'event.changed',
] as const;

/**
 * Gives the dates of a series that change together one message: the fact of the lead occurrence names the others, whose own
 * facts refer to it. Announcements are joined only for the same audience. A fact that undoes a change stays alone, because
 * only people who learned of that change are notified.
 */
export function inOneMessage(changes: readonly Change[], now: Date): Change[] {
  const notices = changes.flatMap(({ after, facts }) =>
    facts.filter(isNaming).flatMap((fact) => (isUndoing(fact) ? [] : { event: after, fact })),
  );
  const groups = groupBy(notices, keyOf).filter((group) => group.length > 1);
  if (groups.length === 0) return [...changes];
  const joined = new Map(groups.flatMap((group) => joinedFacts(group, now)));
  return changes.map((change) => ({ ...change, facts: change.facts.map((fact) => joined.get(fact) ?? fact) }));
}

const isNaming = (fact: NewFact): fact is NamingFact => (NAMING as readonly string[]).includes(fact.type);

const isUndoing = ({ data }: NamingFact): boolean => 'told_since' in data;

const AUDIENCE_FIELDS = [...SEEN_FIELDS, 'target_audience', 'class_id', 'grade_level_ids'] as const;

const keyOf = ({ event, fact }: Notice): string =>
  fact.type === 'event.published' ? canonical(AUDIENCE_FIELDS.map((name) => event[name])) : fact.type;

/** The facts of one message: each with the fact to record instead. */
function joinedFacts(group: readonly Notice[], now: Date): [NewFact, NewFact][] {
  const inOrder = [...group].sort((a, b) => a.event.starts_at.getTime() - b.event.starts_at.getTime());
  // The next date to start, because the message links to it.
  const lead = inOrder.find(({ event }) => event.starts_at > now) ?? (inOrder[0] as Notice);
  const others = inOrder.filter((one) => one !== lead);
  const also = others.map(({ event, fact }) => {
    const { reason: _, ...data } = fact.data as { reason?: string };
    return { event_id: event.id, ...data };
  });
  const times = inOrder.flatMap(({ fact: { data } }) => ('tell_at' in data ? data.tell_at.getTime() : []));
  const tell_at = times.length > 0 ? { tell_at: new Date(Math.min(...times)) } : {};
  const ledBy = { announced_with: lead.event.id };
  return [
    [lead.fact, { ...lead.fact, data: { ...lead.fact.data, ...tell_at, also } } as NewFact],
    ...others.map(({ fact }): [NewFact, NewFact] => [fact, { ...fact, data: { ...fact.data, ...ledBy } } as NewFact]),
  ];
}
