import { expect, test } from 'vitest';
import type { NewEvent } from '../../../src/events/event-fields.ts';
import { EVENT_TYPES, type EventType } from '../../../src/events/event-types.ts';
import { draftOf, withDefaults } from '../../../src/events/rules/defaults.ts';
import { aCaller, at, NOW } from '../../support/builders.ts';

const PRAGUE = { timezone: 'Europe/Prague' };
const OLGA = aCaller({ user_id: 'olga' });
const made = (more: Partial<NewEvent> = {}) =>
  withDefaults(
    { title: 'Concert', event_type: 'meeting', start_date: '2026-10-16', end_date: '2026-10-16', ...more },
    PRAGUE,
    OLGA,
  );

test('a new event with the four required fields has all default values', () => {
  expect(made()).toMatchObject({
    visibility: 'internal',
    registration_type: 'none',
    recurrence_pattern: 'none',
    is_recurring: false,
    all_day: false,
    is_free: true,
    is_featured: false,
    send_notifications: true,
    waitlist_enabled: false,
    start_time: '09:00',
    end_time: '10:00',
  });
});

test('takes the zone of the school and the caller as organizer by default', () => {
  expect(made()).toMatchObject({ timezone: 'Europe/Prague', requires_approval: false, organizer_id: 'olga' });
});

/** Type, icon, suggested minutes (null: all-day), color. */
const TYPES: [EventType, string, number | null, string | null][] = [
  ['academic', 'GraduationCap', 60, 'Blue'],
  ['sports', 'Trophy', 120, 'Orange'],
  ['cultural', 'Music', 180, 'Purple'],
  ['social', 'Users', 120, 'Pink'],
  ['meeting', 'MessageSquare', 60, 'Slate'],
  ['workshop', 'Wrench', 180, 'Amber'],
  ['seminar', 'Presentation', 90, 'Indigo'],
  ['ceremony', 'Award', 120, 'Yellow'],
  ['holiday', 'Palmtree', null, 'Green'],
  ['exam', 'FileCheck', 180, 'Red'],
  ['field_trip', 'Map', null, 'Teal'],
  ['competition', 'Target', 240, 'Rose'],
  ['parent_event', 'Heart', 120, 'Cyan'],
  ['parent_teacher', 'Heart', 120, null],
  ['fundraiser', 'HandHeart', 180, 'Emerald'],
  ['assembly', 'Megaphone', 45, 'Violet'],
  ['other', 'HelpCircle', 60, 'Gray'],
];
const END_AT: Record<number, string> = {
  45: '09:45',
  60: '10:00',
  90: '10:30',
  120: '11:00',
  180: '12:00',
  240: '13:00',
};

test('there are 17 types', () => {
  expect(Object.keys(EVENT_TYPES)).toEqual(TYPES.map(([type]) => type));
});

test.each(TYPES)('%s has its icon, length and color', (type, icon, minutes, color) => {
  expect(EVENT_TYPES[type]).toMatchObject({ icon, minutes, color });
});

test.each(TYPES)('%s without times lasts as long as its type suggests', (event_type, _, minutes) => {
  const { all_day, start_time, end_time } = made({ event_type });
  expect({ all_day, start_time, end_time }).toEqual(
    minutes === null
      ? { all_day: true, start_time: null, end_time: null }
      : { all_day: false, start_time: '09:00', end_time: END_AT[minutes] },
  );
});

test.each<[string, Partial<NewEvent>, object]>([
  ['a start alone is followed by the length of the type', { start_time: '14:15' }, { end_time: '15:15' }],
  ['an end alone leaves 09:00', { end_time: '09:20' }, { start_time: '09:00', end_time: '09:20' }],
  ['a field trip with a time is not all-day', { event_type: 'field_trip', start_time: '07:00' }, { all_day: false }],
  [
    'a holiday with a start is timed and lasts an hour',
    { event_type: 'holiday', start_time: '08:00' },
    { all_day: false, end_time: '09:00' },
  ],
  ['a holiday with an end is timed', { event_type: 'holiday', end_time: '12:00' }, { start_time: '09:00' }],
  ['a holiday may be said not to be all-day', { event_type: 'holiday', all_day: false }, { start_time: '09:00' }],
  [
    'an all-day event has no times, even if some are given',
    { all_day: true, start_time: '09:00', end_time: '10:00' },
    { all_day: true, start_time: null, end_time: null },
  ],
  ['a length that would leave the end date stops at its end', { start_time: '23:30' }, { end_time: '23:59' }],
  [
    'over midnight to a given end date',
    { start_time: '23:30', end_date: '2026-10-17' },
    { end_date: '2026-10-17', end_time: '00:30' },
  ],
])('%s', (_, input, expected) => {
  expect(made(input)).toMatchObject(expected);
});

test('an event of several days without times ends at 10:00 of the last', () => {
  expect(made({ end_date: '2026-10-18' })).toMatchObject({ start_time: '09:00', end_time: '10:00' });
});

test.each([
  [undefined, undefined, true],
  [0, undefined, true],
  [5, undefined, false],
  [5, true, true],
  [undefined, false, false],
])('with cost %s and is_free %s given, is_free is %s', (cost, is_free, expected) => {
  const given = { ...(cost === undefined ? {} : { cost }), ...(is_free === undefined ? {} : { is_free }) };
  expect(made(given).is_free).toBe(expected);
});

test('marks an event with a pattern as recurring', () => {
  expect(made({ recurrence_pattern: 'monthly' }).is_recurring).toBe(true);
  expect(made({ recurrence_pattern: 'none' }).is_recurring).toBe(false);
});

test('removes blanks around a title', () => {
  expect(made({ title: '  Concert ' }).title).toBe('Concert');
});

test('a draft belongs to its maker’s school, has no stamps, and everything is counted from zero', () => {
  const caller = aCaller({ user_id: 'olga', tenant_id: 't7', school_id: 's7' });
  const draft = draftOf(made(), caller, NOW);
  expect(draft).toMatchObject({
    tenant_id: 't7',
    school_id: 's7',
    status: 'draft',
    parent_event_id: null,
    duplicated_from_id: null,
    current_attendees: 0,
    waitlisted: 0,
    last_waitlist_number: 0,
    created_at: NOW,
    updated_at: NOW,
    created_by: 'olga',
    published_at: null,
    publish_at: null,
    cancelled_at: null,
    cancellation_reason: null,
    postponed_to: null,
    postponement_reason: null,
    deleted_at: null,
    starts_at: at('2026-10-16T07:00:00Z'),
    ends_at: at('2026-10-16T08:00:00Z'),
  });
  expect(draft.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(draftOf(made(), caller, NOW).id).not.toBe(draft.id);
});
