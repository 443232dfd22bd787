import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { demoSchool } from '../../../src/dev/school/demo-school.ts';
import { schoolDay, termReports } from '../../../src/dev/school/term.ts';
import { EVENT_STATUSES } from '../../../src/events/event.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import { INGEST_ITEM } from '../../../src/http/ingest/ingest-schema.ts';
import { checkOf } from '../../../src/http/validator.ts';

const SUNDAY = DateTime.fromISO('2026-11-22T09:30', { zone: 'Europe/Prague' });
const reportsOn = (now: DateTime) => termReports(demoSchool(), 'http://127.0.0.1:3000', now);

describe('the term of the demo', () => {
  test('has every type of event and every status', () => {
    const events = reportsOn(SUNDAY).map(({ event }) => event as { event_type: string; status: string });
    expect(new Set(events.map(({ event_type }) => event_type))).toEqual(new Set(Object.keys(EVENT_TYPES)));
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(EVENT_STATUSES));
  });

  test.each(['a Sunday', 'a Monday', 'a Wednesday'] as const)(
    'passes the schema of the import when today is %s',
    (day) => {
      const faultsOf = checkOf(INGEST_ITEM);
      const now = SUNDAY.plus({ days: { 'a Sunday': 0, 'a Monday': 1, 'a Wednesday': 3 }[day] });
      for (const report of reportsOn(now)) expect(faultsOf(report), JSON.stringify(report)).toEqual([]);
    },
  );

  test.each([0, 5, 12, 23])('registers people at waking hours before now if it starts at %i o’clock', (hour) => {
    const now = SUNDAY.set({ hour });
    const registered = reportsOn(now)
      .flatMap(({ registrations = [] }) => registrations)
      .map((row) => DateTime.fromISO((row as { created_at: string }).created_at, { zone: 'Europe/Prague' }));
    expect(registered.filter((at) => at.hour < 7 || at.hour > 21 || at > now)).toEqual([]);
  });

  test('registers people of the audience only, each of them once', () => {
    const [trip] = reportsOn(SUNDAY).filter(({ event }) => (event as { title: string }).title.startsWith('Lyžařský'));
    const ids = (trip?.registrations ?? []).map((row) => (row as { user_id: string }).user_id);
    const groups = demoSchool().filter((person) => ids.includes(person.user_id) && person.roles.includes('student'));
    expect(ids.length).toBe(8);
    expect(new Set(ids).size).toBe(ids.length);
    expect(groups.every(({ class_ids }) => class_ids.includes('class-9a'))).toBe(true);
  });
});

test('a school day is never on a weekend, and counts back before today', () => {
  const days = [-6, -1, 1, 5, 6].map((n) => schoolDay(SUNDAY, n).toISODate());
  expect(days).toEqual(['2026-11-13', '2026-11-20', '2026-11-23', '2026-11-27', '2026-11-30']);
});
