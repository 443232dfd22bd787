import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { isActive, takesSeat } from '../../../src/registrations/registration.ts';
import { admit, previewSeats, refuseRepeated } from '../../../src/registrations/seats/admission.ts';
import { anEvent, at, NOW } from '../../support/builders.ts';

const open = (more: Partial<SchoolEvent> = {}) => anEvent({ registration_type: 'optional', ...more });
const answer = (more: Partial<SchoolEvent>, now = NOW) => {
  const admission = admit(open(more), now);
  return 'status' in admission ? admission.status : admission.code;
};

test.each<[Partial<SchoolEvent>, string]>([
  [{}, 'confirmed'],
  [{ registration_type: 'required', max_attendees: 10 }, 'confirmed'],
  [{ registration_type: 'ticketed', max_attendees: 10 }, 'confirmed'],
  [{ requires_approval: true }, 'pending'],
  [{ max_attendees: 10, current_attendees: 9 }, 'confirmed'],
  [{ max_attendees: 10, current_attendees: 9, requires_approval: true }, 'pending'],
  [{ max_attendees: 10, current_attendees: 10 }, 'event_full'],
  [{ max_attendees: 10, current_attendees: 11 }, 'event_full'],
  [{ max_attendees: 0 }, 'event_full'],
  [{ max_attendees: 10, current_attendees: 10, waitlist_enabled: true }, 'waitlisted'],
  [{ max_attendees: 10, current_attendees: 10, waitlist_enabled: true, requires_approval: true }, 'waitlisted'],
  [{ max_attendees: 10, current_attendees: 9, waitlisted: 1, waitlist_enabled: true }, 'waitlisted'],
  [{ max_attendees: null, current_attendees: 9, waitlisted: 1, waitlist_enabled: true }, 'waitlisted'],
  [{ registration_type: 'none' }, 'registration_not_available'],
  [{ registration_type: 'none', waitlist_enabled: true }, 'registration_not_available'],
])('answers a registration for an event with %j by %s', (more, expected) => {
  expect(answer(more)).toBe(expected);
});

test.each([
  ['draft', 'event_not_published'],
  ['scheduled', 'event_not_published'],
  ['published', 'confirmed'],
  ['in_progress', 'event_not_published'],
  ['completed', 'event_not_published'],
  ['cancelled', 'event_not_published'],
  ['postponed', 'event_not_published'],
] as const)('an event that is %s answers %s', (status, expected) => {
  expect(answer({ status })).toBe(expected);
});

test.each([{ status: 'cancelled' }, { status: 'draft' }, { is_active: false }] as const)(
  'an event without registration that is %j does not say to just come',
  (more) => {
    expect(answer({ registration_type: 'none', ...more })).toBe('event_not_published');
  },
);

test.each<[number, Partial<SchoolEvent>, string | number]>([
  [3, { max_attendees: 3 }, 'confirmed'],
  [3, { max_attendees: null }, 'confirmed'],
  [3, { max_attendees: 3, requires_approval: true }, 'pending'],
  [3, { max_attendees: 3, current_attendees: 1 }, 2],
  [2, { max_attendees: 3, current_attendees: 2 }, 1],
  [2, { max_attendees: 3, current_attendees: 3 }, 0],
  [2, { max_attendees: 3, current_attendees: 2, waitlist_enabled: true }, 1],
  [2, { max_attendees: 3, current_attendees: 3, waitlist_enabled: true }, 'waitlisted'],
  [2, { max_attendees: 9, current_attendees: 2, waitlisted: 1, waitlist_enabled: true }, 'waitlisted'],
])('answers %i people who must get seats at once in an event with %j by %s', (seats, more, expected) => {
  const admission = admit(open(more), NOW, { seats });
  expect('status' in admission ? admission.status : admission.extra?.available_spots).toBe(expected);
});

const DEADLINE = at('2026-10-10T12:00:00.000Z');

test.each([
  ['before the deadline', '2026-10-10T11:59:59.999Z', 'confirmed'],
  ['at the instant itself', '2026-10-10T12:00:00.000Z', 'confirmed'],
  ['a millisecond later', '2026-10-10T12:00:00.001Z', 'registration_closed'],
])('%s', (_, now, expected) => {
  expect(answer({ registration_deadline: DEADLINE }, at(now))).toBe(expected);
});

test('the waitlist closes with the deadline too', () => {
  const full = { max_attendees: 1, current_attendees: 1, waitlist_enabled: true, registration_deadline: DEADLINE };
  expect(answer(full, at('2026-10-11T00:00:00Z'))).toBe('registration_closed');
});

test('staff pass the deadline and the capacity, and neither state nor kind of an event', () => {
  const by = (more: Partial<SchoolEvent>) => {
    const admission = admit(open(more), at('2026-10-11T00:00:00Z'), { override: true });
    return 'status' in admission ? admission.status : admission.code;
  };
  const full = { max_attendees: 1, current_attendees: 1, waitlisted: 1, waitlist_enabled: true };
  expect(by({ ...full, registration_deadline: DEADLINE })).toBe('confirmed');
  expect(by({ ...full, requires_approval: true })).toBe('pending');
  expect([by({ status: 'draft' }), by({ registration_type: 'none' })]).toEqual([
    'event_not_published',
    'registration_not_available',
  ]);
});

test('a request that refuses the waitlist is refused by a full event', () => {
  const full = open({ max_attendees: 1, current_attendees: 1, waitlist_enabled: true });
  expect(admit(full, NOW, { mayWait: false })).toMatchObject({
    code: 'event_full',
    detail: 'All places are taken.',
    extra: { waitlist_enabled: true, available_spots: 0 },
  });
});

test.each([
  [1, '1 place is free, not 3.'],
  [2, '2 places are free, not 3.'],
])('with %i places free a family of three reads: %s', (free, detail) => {
  expect(admit(open({ max_attendees: free }), NOW, { seats: 3 })).toMatchObject({ detail });
});

const CROWDED = { max_attendees: 5, current_attendees: 5, waitlisted: 3 };

test.each<[string, Partial<SchoolEvent>, number | null, object]>([
  ['promotes as many as get a place', {}, 7, { would_move_up: 2, would_still_wait: 1, free_after: 0, note: null }],
  ['leaves places free', {}, 10, { would_move_up: 3, would_still_wait: 0, free_after: 2, note: null }],
  ['without a limit promotes all', {}, null, { would_move_up: 3, would_still_wait: 0, free_after: null, note: null }],
  ['that stays promotes no one', {}, 5, { would_move_up: 0, free_after: 0, note: null }],
  ['below the places taken is refused', {}, 4, { would_move_up: 0, free_after: 0, note: 'capacity_below_occupied' }],
  ['of a draft waits', { status: 'draft' }, 7, { would_move_up: 0, free_after: 2, note: 'event_not_published' }],
  ['of a hidden event waits', { is_active: false }, 7, { would_move_up: 0, note: 'event_not_published' }],
  ['of an event that starts now is too late', { starts_at: NOW }, 7, { would_move_up: 0, note: 'event_started' }],
])('another capacity %s', (_, more, capacity, expected) => {
  const seats = { capacity, taken: 5, waiting: 3 };
  expect(previewSeats(open({ ...CROWDED, ...more }), capacity, NOW)).toMatchObject({ ...seats, ...expected });
});

test('a refusal says what the caller cannot know', () => {
  const closed = open({ registration_deadline: DEADLINE, timezone: 'Europe/Prague' });
  expect(admit(closed, at('2026-10-11T00:00:00Z'))).toMatchObject({
    detail: 'Registration closed on 2026-10-10 at 14:00 (Europe/Prague). Ask the organizer.',
  });
  expect(admit(open({ status: 'cancelled' }), NOW)).toMatchObject({ extra: { current_status: 'cancelled' } });
});

test.each([
  ['pending', true, true],
  ['confirmed', true, true],
  ['waitlisted', false, true],
  ['cancelled', false, false],
] as const)('a %s registration takes a seat: %s, is active: %s', (status, seat, active) => {
  expect([takesSeat(status), isActive(status)]).toEqual([seat, active]);
});

test('allows five registrations of a person for one event in 24 hours, and says when the next is possible', () => {
  const hoursAgo = (...hours: number[]) => hours.map((ago) => new Date(NOW.getTime() - ago * 3_600_000));
  expect(refuseRepeated([], NOW)).toBeNull();
  expect(refuseRepeated(hoursAgo(1, 2, 3, 4), NOW)).toBeNull();
  expect(refuseRepeated(hoursAgo(1, 2, 3, 4, 24, 25), NOW)).toBeNull();
  const refused = { code: 'rate_limited', detail: expect.stringContaining('at most 5 times in 24 hours') };
  expect(refuseRepeated(hoursAgo(20, 4, 3, 2, 1), NOW)).toEqual({ ...refused, retryAfter: 4 * 3_600 });
  expect(refuseRepeated(hoursAgo(23, 22, 4, 3, 2, 1), NOW)).toEqual({ ...refused, retryAfter: 2 * 3_600 });
});
