import { expect, test } from 'vitest';
import type { EventStatus } from '../../src/events/event.ts';
import { summaryOf } from '../../src/statistics/summary.ts';

test('adds up tallies of statuses to the numbers of the specification', () => {
  const tally = (
    status: EventStatus,
    count: number,
    seats: number,
    upcoming: number,
    event_type = 'exam',
    checked_in = 0,
  ) => ({
    status,
    count,
    seats,
    confirmed: seats,
    checked_in,
    upcoming,
    types: { [event_type]: count },
  });
  const summary = summaryOf([
    tally('draft', 3, 1, 0),
    tally('scheduled', 2, 0, 1),
    tally('published', 4, 10, 3, 'sports'),
    tally('postponed', 1, 3, 1),
    tally('in_progress', 1, 5, 0, 'exam', 2),
    tally('completed', 4, 30, 0, 'exam', 21),
    tally('cancelled', 2, 7, 0, 'exam', 3),
  ]);
  expect(summary).toMatchObject({
    total: 17,
    upcoming: 5,
    inProgress: 1,
    completed: 4,
    cancelled: 2,
    totalRegistrations: 48,
    attendanceRate: 0.657,
    averageAttendance: 4,
    byType: { exam: 13, sports: 4, holiday: 0 },
    byStatus: { draft: 3, scheduled: 2, published: 4, in_progress: 1, completed: 4, cancelled: 2, postponed: 1 },
  });
  expect(Object.keys(summary.byType)).toHaveLength(17);
  expect(Object.keys(summary.byStatus)).toHaveLength(7);
  expect(summaryOf([])).toMatchObject({ total: 0, averageAttendance: 0, attendanceRate: null });
  expect(summaryOf([tally('published', 3, 10, 0)]).averageAttendance).toBe(3.33);
});
