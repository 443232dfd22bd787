import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { isEmpty, isOfEvent, type PlanStatus, planDifference, wantedPlan } from '../../src/reminders/plan.ts';
import { anEvent, at, NOW } from '../support/builders.ts';

/** 16 October 2026, 18:00 UTC, with reminders the day before and a quarter of an hour before. */
const EVENT = anEvent({
  reminders: [
    { type: 'email', offset: 1440 },
    { type: 'sms', offset: 15 },
  ],
});

/** The stored plan of the event as it was six weeks before, each reminder with the status given. */
const stored = (statuses: PlanStatus[]) =>
  wantedPlan(EVENT, NOW).map((row, n) => ({ ...row, status: statuses[n] ?? 'planned' }));

/** The difference in words: `+` is inserted, `=` is changed. */
function describeDifference(event: SchoolEvent, rows: ReturnType<typeof stored>, now: Date): string[] {
  const { insert, change } = planDifference(rows, wantedPlan(event, now), event, now);
  const nameOf = (id: string) => rows.filter(isOfEvent).find((row) => row.id === id)?.type ?? '?';
  return [
    ...insert.filter(isOfEvent).map((row) => `+ ${row.type} ${row.status} ${row.due_at.toISOString().slice(0, 16)}`),
    ...change.map(({ id, status }) => `= ${nameOf(id)} ${status}`),
  ];
}

const BEFORE = NOW;
const AFTER_FIRST = at('2026-10-15T18:00:01Z');
const AT_START = at('2026-10-16T18:00:00Z');

test.each<[string, Partial<SchoolEvent>, PlanStatus[], Date, string[]]>([
  ['nothing has changed', {}, ['planned', 'planned'], BEFORE, []],
  ['only the title has', { title: 'Winter concert', version: 9 }, ['planned', 'planned'], BEFORE, []],
  ['one has fallen due and was not raised yet', {}, ['planned', 'planned'], AFTER_FIRST, []],
  ['one was raised', {}, ['raised', 'planned'], AFTER_FIRST, []],
  ['one was past when it was planned', {}, ['past_due', 'planned'], AFTER_FIRST, []],
  ['the event is cancelled', { status: 'cancelled' }, ['raised', 'planned'], AFTER_FIRST, ['= sms dropped']],
  [
    'the event is cancelled before one that fell due was raised',
    { status: 'cancelled' },
    ['planned', 'planned'],
    AFTER_FIRST,
    ['= email dropped', '= sms dropped'],
  ],
  ['it is a draft again', { status: 'draft' }, ['planned', 'planned'], BEFORE, ['= email dropped', '= sms dropped']],
  ['it is published again', {}, ['dropped', 'dropped'], BEFORE, ['= email planned', '= sms planned']],
  ['it is published again, late', {}, ['dropped', 'dropped'], AFTER_FIRST, ['= email past_due', '= sms planned']],
  [
    'it is moved, also after a reminder was sent',
    { schedule_version: 4, starts_at: at('2026-10-20T18:00:00Z') },
    ['raised', 'planned'],
    AFTER_FIRST,
    ['+ email planned 2026-10-19T18:00', '+ sms planned 2026-10-20T17:45', '= sms dropped'],
  ],
  [
    'a reminder is added whose time has passed',
    { reminders: [...EVENT.reminders, { type: 'push', offset: 2880 }] },
    ['raised', 'planned'],
    AFTER_FIRST,
    ['+ push past_due 2026-10-14T18:00'],
  ],
  [
    'a reminder is taken away',
    { reminders: [{ type: 'sms', offset: 15 }] },
    ['planned', 'planned'],
    BEFORE,
    ['= email dropped'],
  ],
  [
    'it is begun early',
    { status: 'in_progress' },
    ['planned', 'planned'],
    BEFORE,
    ['= email dropped', '= sms dropped'],
  ],
  [
    'it begins, and one that fell due was never raised',
    { status: 'in_progress' },
    ['planned', 'planned'],
    AT_START,
    [],
  ],
  ['it is over, and one that fell due was never raised', { status: 'completed' }, ['planned', 'planned'], AT_START, []],
  [
    'it is begun early, and one has fallen due',
    { status: 'in_progress' },
    ['planned', 'planned'],
    AFTER_FIRST,
    ['= sms dropped'],
  ],
  [
    'its zone changes its clocks, which leaves the one that has fallen due to the clock',
    { starts_at: at('2026-10-16T19:00:00Z') },
    ['planned', 'planned'],
    AFTER_FIRST,
    ['= sms planned'],
  ],
  [
    'its zone changes its clocks, so that one falls due at once',
    { starts_at: at('2026-10-16T17:00:00Z') },
    ['planned', 'planned'],
    at('2026-10-15T17:30:00Z'),
    ['= email planned', '= sms planned'],
  ],
])('%s', (_, more, statuses, now, difference) => {
  expect(describeDifference({ ...EVENT, ...more }, stored(statuses), now)).toEqual(difference);
});

test('a stored time that is wrong is set right', () => {
  const rows = stored([]).map((row) => ({ ...row, due_at: at('2026-10-20T00:00:00Z') }));
  const wanted = wantedPlan(EVENT, NOW);
  expect(planDifference(rows, wanted, EVENT, NOW).change.map(({ due_at }) => due_at)).toEqual(
    wanted.map(({ due_at }) => due_at),
  );
  expect(isEmpty(planDifference(wanted, wanted, EVENT, NOW))).toBe(true);
});

test('a reminder to confirm expires at the new start of its event', () => {
  const acknowledgement_reminder = { after_hours: 24, channels: ['email' as const] };
  const asking = anEvent({ asks_acknowledgement: true, acknowledgement_reminder, published_at: NOW });
  const later = { ...asking, starts_at: at('2026-10-20T18:00:00Z') };
  const { change } = planDifference(wantedPlan(asking, NOW), wantedPlan(later, NOW), later, NOW);
  expect(change).toMatchObject([{ expires_at: later.starts_at }]);
  expect(isEmpty(planDifference([], wantedPlan(later, NOW), later, NOW))).toBe(false);
});

test('a reminder named twice is planned once', () => {
  const twice = { ...EVENT, reminders: [...EVENT.reminders, ...EVENT.reminders] };
  expect(wantedPlan(twice, NOW)).toHaveLength(2);
});
