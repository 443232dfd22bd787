import { describe, expect, test } from 'vitest';
import { quickFilter } from '../../../src/events/rules/filter.ts';
import { at } from '../../support/builders.ts';

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
