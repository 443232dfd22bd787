import { describe, expect, test } from 'vitest';
import { furtherOccurrences } from '../../../src/events/create.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { occurrenceDates, siblingsInScope } from '../../../src/events/rules/series.ts';
import { aCaller, anEvent, at, NOW } from '../../support/builders.ts';

const occurrencesOf = (parent: SchoolEvent) => furtherOccurrences(parent, aCaller(), NOW).map(({ after }) => after);

type Rule = Parameters<typeof occurrenceDates>[0];

const rule = (start_date: string, recurrence_pattern: Rule['recurrence_pattern'], more: Partial<Rule> = {}): Rule => ({
  start_date,
  recurrence_pattern,
  recurrence_count: null,
  recurrence_end_date: null,
  ...more,
});

describe('the dates of a series', () => {
  // docs/decisions.md, "Recurrence", by hand.
  test.each<[string, Rule, string[]]>([
    ['none is its own only date', rule('2026-09-07', 'none'), ['2026-09-07']],
    [
      'daily over the end of a year',
      rule('2026-12-30', 'daily', { recurrence_count: 4 }),
      ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'],
    ],
    [
      'weekly over a clock change',
      rule('2026-10-18', 'weekly', { recurrence_count: 3 }),
      ['2026-10-18', '2026-10-25', '2026-11-01'],
    ],
    [
      'monthly on the 31st, without the months that have none',
      rule('2026-01-31', 'monthly', { recurrence_count: 5 }),
      ['2026-01-31', '2026-03-31', '2026-05-31', '2026-07-31', '2026-08-31'],
    ],
    [
      'monthly on the 30th, without February',
      rule('2026-12-30', 'monthly', { recurrence_count: 3 }),
      ['2026-12-30', '2027-01-30', '2027-03-30'],
    ],
    [
      'monthly on the 29th, with February of a leap year only',
      rule('2027-12-29', 'monthly', { recurrence_count: 3 }),
      ['2027-12-29', '2028-01-29', '2028-02-29'],
    ],
    [
      'yearly on 29 February, also over a century without it',
      rule('2092-02-29', 'yearly', { recurrence_count: 3 }),
      ['2092-02-29', '2096-02-29', '2104-02-29'],
    ],
    [
      'the end date first',
      rule('2026-09-07', 'weekly', { recurrence_count: 10, recurrence_end_date: '2026-09-20' }),
      ['2026-09-07', '2026-09-14'],
    ],
    [
      'the end date itself is in',
      rule('2026-09-07', 'weekly', { recurrence_end_date: '2026-09-21' }),
      ['2026-09-07', '2026-09-14', '2026-09-21'],
    ],
    [
      'the count first',
      rule('2026-09-07', 'weekly', { recurrence_count: 2, recurrence_end_date: '2027-09-20' }),
      ['2026-09-07', '2026-09-14'],
    ],
    ['an end on its first day', rule('2026-09-07', 'daily', { recurrence_end_date: '2026-09-07' }), ['2026-09-07']],
    ['a count of one', rule('2026-09-07', 'yearly', { recurrence_count: 1 }), ['2026-09-07']],
  ])('%s', (_name, given, dates) => {
    expect(occurrenceDates(given)).toEqual(dates);
  });

  test.each([
    ['daily', 7, '2026-09-13'],
    ['weekly', 12, '2026-11-23'],
    ['monthly', 12, '2027-08-07'],
    ['yearly', 3, '2028-09-07'],
  ] as const)('%s without count or end has %i', (pattern, count, last) => {
    const dates = occurrenceDates(rule('2026-09-07', pattern));
    expect([dates.length, dates.at(-1)]).toEqual([count, last]);
  });

  test('are one more than the limit where an end leaves too many', () => {
    expect(occurrenceDates(rule('2026-01-01', 'daily', { recurrence_end_date: '2027-01-01' }))).toHaveLength(366);
    expect(occurrenceDates(rule('2026-01-01', 'daily', { recurrence_end_date: '2099-01-01' }))).toHaveLength(367);
  });
});

describe('the occurrences', () => {
  const inPrague = (more: Partial<SchoolEvent>) =>
    anEvent({ status: 'draft', timezone: 'Europe/Prague', is_recurring: true, recurrence_pattern: 'weekly', ...more });

  test('keep the wall clock over both clock changes, so that instants differ', () => {
    const autumn = inPrague({ start_date: '2026-10-18', end_date: '2026-10-18', recurrence_count: 2 });
    expect(occurrencesOf(autumn)).toMatchObject([
      { start_date: '2026-10-25', start_time: '18:00', starts_at: at('2026-10-25T17:00:00Z') },
    ]);
    const spring = inPrague({ start_date: '2027-03-21', end_date: '2027-03-21', recurrence_count: 2 });
    expect(occurrencesOf(spring)).toMatchObject([
      { start_date: '2027-03-28', start_time: '18:00', starts_at: at('2027-03-28T16:00:00Z') },
    ]);
  });

  test('last as many days, and close registration as far ahead, at the same wall clock', () => {
    const camp = inPrague({
      start_date: '2026-10-19',
      end_date: '2026-10-21',
      recurrence_count: 2,
      registration_deadline: at('2026-10-18T10:00:30Z'),
    });
    expect(occurrencesOf(camp)).toMatchObject([
      { start_date: '2026-10-26', end_date: '2026-10-28', registration_deadline: at('2026-10-25T11:00:30Z') },
    ]);
  });

  test('are drafts of their own that know their place', () => {
    const parent = inPrague({ start_date: '2026-09-07', end_date: '2026-09-07', recurrence_count: 3 });
    const children = occurrencesOf(parent);
    expect(new Set([parent.id, ...children.map(({ id }) => id)]).size).toBe(3);
    for (const child of children) expect(child).toMatchObject({ parent_event_id: parent.id, status: 'draft' });
    expect(children.map(({ occurrence_date }) => occurrence_date)).toEqual(['2026-09-14', '2026-09-21']);
  });
});

describe('the events that a change of a series is meant for', () => {
  const [first, second, third] = ['2026-09-07', '2026-09-14', '2026-09-21'].map((date, i) =>
    anEvent({ id: `event-${i + 1}`, start_date: date, occurrence_date: date, is_recurring: true }),
  ) as [SchoolEvent, SchoolEvent, SchoolEvent];
  // Moved behind the third by hand: it still is the second.
  const moved = { ...second, start_date: '2026-10-30' };

  test.each([
    ['this', 'event-2', []],
    ['following', 'event-2', ['event-3']],
    ['all', 'event-2', ['event-1', 'event-3']],
    ['following', 'event-1', ['event-2', 'event-3']],
    ['following', 'event-3', []],
  ] as const)('%s from %s', (scope, id, meant) => {
    const series = [third, first, moved];
    const event = series.find((one) => one.id === id) ?? first;
    expect(siblingsInScope(event, series, scope).map((one) => one.id)).toEqual(meant);
  });
});
