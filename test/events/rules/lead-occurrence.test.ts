import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/events/apply-plan.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { inOneMessage } from '../../../src/events/rules/series.ts';
import { moved } from '../../../src/events/rules/transitions.ts';
import { triggerOf } from '../../../src/notifications/policy/trigger.ts';
import { type Fact, factsOfDates } from '../../../src/outbox/fact.ts';
import { anEvent, at, NOW } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

const date = (id: string, starts_at: string) =>
  anEvent({ id, starts_at: at(starts_at), is_recurring: true, status: 'draft' });
/** The first one is over: a school may publish what took place. */
const SERIES = [
  date('past', '2026-08-31T18:00:00Z'),
  date('second', '2026-09-14T18:00:00Z'),
  date('next', '2026-09-07T18:00:00Z'),
];

const published = (events: readonly SchoolEvent[]): Change[] =>
  events.map((event) => moved(event, { action: 'publish' }, 'system', NOW) as Change);
const cancelled = (): Change[] =>
  SERIES.map((event) => {
    const input = { reason: 'storm' };
    return moved({ ...event, status: 'published' }, { action: 'cancel', input }, 'system', NOW) as Change;
  });
const factsOf = (changes: readonly Change[]) => changes.flatMap(({ facts }) => facts) as Fact[];
/** For each fact that notifies people, the dates that its message names. */
const messages = (changes: readonly Change[]) =>
  factsOf(changes)
    .filter((fact) => triggerOf(fact) !== null)
    .map((fact) => factsOfDates(fact).map(({ event_id }) => event_id));

describe('dates that change together', () => {
  test('have one message, of the next date to start, that names the others in order', () => {
    expect(messages(inOneMessage(published(SERIES), NOW))).toEqual([['next', 'past', 'second']]);
    expect(messages(inOneMessage(cancelled(), NOW))).toEqual([['next', 'past', 'second']]);
  });

  test('have one message of the first date if all have begun', () => {
    const after = at('2026-10-01T00:00:00Z');
    expect(messages(inOneMessage(published(SERIES), after))).toEqual([['past', 'next', 'second']]);
  });

  test('keep a fact each, which names the lead', () => {
    const leads = factsOf(inOneMessage(published(SERIES), NOW)).map(({ event_id, data }) => [
      event_id,
      'announced_with' in data ? data.announced_with : null,
    ]);
    expect(leads).toEqual([
      ['past', 'next'],
      ['second', 'next'],
      ['next', null],
    ]);
  });

  test('are facts as if each had been changed alone, with the reason stored once', () => {
    const alone = factsOf(cancelled());
    const lead = factsOf(inOneMessage(cancelled(), NOW)).at(-1) as Fact;
    expect(JSON.stringify(lead).match(/storm/g)).toHaveLength(1);
    const [own, ...others] = factsOfDates(lead);
    expect(own?.event_id).toBe('next');
    expect(others).toEqual([alone[0], alone[1]]);
  });

  test('are announced separately to different audiences', () => {
    const [past, second, next] = published(SERIES);
    const forStaff = published([{ ...(second?.before as SchoolEvent), target_audience: ['staff'] }]);
    const changes = [past, ...forStaff, next] as Change[];
    expect(messages(inOneMessage(changes, NOW))).toEqual([['second'], ['next', 'past']]);
  });

  test('share the earliest time at which one of their changes is due', () => {
    const changed = (event: SchoolEvent, tell_at: Date, more = {}): Change => {
      const fact = aFact('event.changed', { tell_at, ...more }, { event_id: event.id });
      return { before: event, after: event, facts: [fact] };
    };
    const [a, b, c] = SERIES as [SchoolEvent, SchoolEvent, SchoolEvent];
    const soon = at('2026-09-01T08:01:00Z');
    const later = at('2026-09-01T08:02:00Z');
    const joined = inOneMessage([changed(a, later), changed(b, soon), changed(c, later)], NOW);
    expect(factsOf(joined).find(({ event_id }) => event_id === 'next')?.data).toMatchObject({ tell_at: soon });
    // A change that is undone concerns only people who learned of it.
    const undone = inOneMessage([changed(a, later), changed(b, soon, { told_since: NOW }), changed(c, later)], NOW);
    expect(messages(undone)).toEqual([['second'], ['next', 'past']]);
  });

  test('stay as they are if only one of them notifies anyone', () => {
    const [one] = published(SERIES);
    const deleted = moved(SERIES[1] as SchoolEvent, { action: 'delete' }, 'system', NOW) as Change;
    expect(inOneMessage([one as Change, deleted], NOW)).toEqual([one, deleted]);
  });
});

test('a fact of an earlier program names its own date', () => {
  const lead = aFact('event.published', { sequence: 1, schedule_version: 1, says: 'x' });
  expect(factsOfDates(lead)).toEqual([lead]);
  expect(triggerOf(aFact('event.published', { announced_with: 'event-2' }))).toBeNull();
});
