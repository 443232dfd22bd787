import { describe, expect, test } from 'vitest';
import { daysShown } from '../../src/calendar/show.ts';

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
  test('are as many as an agenda is asked for', () => {
    expect(daysShown('agenda', '2026-01-01', 'UTC', 400)).toMatchObject({ last: '2027-02-04' });
  });
});
