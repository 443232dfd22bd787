import { describe, expect, test } from 'vitest';
import { daysShown } from '../../../src/calendar/show.ts';
import { searchWords } from '../../../src/core/plain-text.ts';
import { daysOf } from '../../../src/core/zoned-time.ts';
import { quickFilter } from '../../../src/events/rules/filter.ts';
import { takesPlaceOn } from '../../mongo/events/fits-filter.ts';
import { anEvent, at } from '../../support/builders.ts';

describe('words to search by', () => {
  test.each([
    ['Školní výlet!', ['skolni', 'vylet']],
    ['KONCERT, koncert', ['koncert']],
    ['Straße/STRASSE', ['strasse']],
    ['5.A – 2026', ['5', 'a', '2026']],
    ['Đorđe ﬁnále', ['đorđe', 'finale']],
    ['東京 遠足', ['東京', '遠足']],
    ['…!? 🎉', []],
    ['x'.repeat(80), ['x'.repeat(50)]],
  ])('of %j', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });
});

describe('a quick filter, late on a Sunday evening in Prague', () => {
  const now = at('2026-10-25T22:30:00Z');
  const quick = (name: Parameters<typeof quickFilter>[0]) => quickFilter(name, now, 'Europe/Prague', 'eva');

  test('today is the day in the school’s zone, which has 25 hours', () => {
    const { during } = quick('today');
    expect(during).toEqual({
      first: '2026-10-25',
      last: '2026-10-25',
      from: at('2026-10-24T22:00:00Z'),
      until: at('2026-10-25T23:00:00Z'),
    });
  });
  test('this week began on Monday', () => {
    expect(quick('this_week').during).toMatchObject({ first: '2026-10-19', last: '2026-10-25' });
  });
  test('the others name what they look for', () => {
    expect(quick('upcoming')).toEqual({ upcoming_at: now });
    expect(quick('my_events')).toEqual({ organizer_id: ['eva'] });
    expect(quick('featured')).toEqual({ is_featured: true });
  });
});

describe('the days a view shows', () => {
  test.each([
    ['month', '2026-02-10', '2026-01-26', '2026-03-01'],
    ['month', '2027-02-28', '2027-02-01', '2027-02-28'],
    ['week', '2026-10-18', '2026-10-12', '2026-10-18'],
    ['week', '2027-01-01', '2026-12-28', '2027-01-03'],
    ['day', '2026-10-18', '2026-10-18', '2026-10-18'],
    ['agenda', '2026-10-18', '2026-10-18', '2026-11-16'],
  ] as const)('%s of %s', (view, date, first, last) => {
    expect(daysShown(view, date, 'Europe/Prague')).toMatchObject({ first, last });
  });
  test('are 400 at most', () => {
    expect(daysShown('agenda', '2026-01-01', 'UTC', 9999)).toMatchObject({ last: '2027-02-04' });
  });
});

describe('a day', () => {
  const day = daysOf('2026-10-16', '2026-10-16', 'Europe/Prague');
  test.each([
    ['2026-10-15T20:00:00Z', '2026-10-15T22:00:00Z', false],
    ['2026-10-15T20:00:00Z', '2026-10-15T22:00:01Z', true],
    ['2026-10-10T20:00:00Z', '2026-10-20T22:00:00Z', true],
    ['2026-10-16T21:59:59Z', '2026-10-17T22:00:00Z', true],
    ['2026-10-16T22:00:00Z', '2026-10-17T22:00:00Z', false],
  ])('includes an event from %s to %s: %s', (starts, ends, expected) => {
    expect(takesPlaceOn(anEvent({ starts_at: at(starts), ends_at: at(ends) }), day)).toBe(expected);
  });
  test('compares the dates of an all-day event, whatever its zone', () => {
    const days = { all_day: true, timezone: 'Pacific/Kiritimati', start_date: '2026-10-16', end_date: '2026-10-17' };
    const event = anEvent({ ...days, starts_at: at('2026-10-15T10:00:00Z'), ends_at: at('2026-10-17T10:00:00Z') });
    const on = (date: string) => takesPlaceOn(event, daysOf(date, date, 'America/Los_Angeles'));
    expect(['2026-10-15', '2026-10-16', '2026-10-17', '2026-10-18'].map(on)).toEqual([false, true, true, false]);
  });
});
