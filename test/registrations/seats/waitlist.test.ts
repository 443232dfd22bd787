import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { seatsToGive } from '../../../src/registrations/seats/admission.ts';
import { promote, seatBookOf } from '../../../src/registrations/seats/seat-book.ts';
import { anEvent, aRegistration, at, NOW, SCOPE } from '../../support/builders.ts';

const waiting = (more: Partial<SchoolEvent> = {}) =>
  anEvent({ registration_type: 'optional', max_attendees: 10, current_attendees: 8, waitlisted: 5, ...more });

test.each<[Partial<SchoolEvent>, number]>([
  [{}, 2],
  [{ current_attendees: 9 }, 1],
  [{ current_attendees: 10 }, 0],
  [{ current_attendees: 11 }, 0],
  [{ waitlisted: 1 }, 1],
  [{ waitlisted: 0 }, 0],
  [{ max_attendees: 100 }, 5],
  [{ max_attendees: null }, 5],
  [{ is_active: false }, 0],
])('%j leaves %d seats to give', (more, seats) => {
  expect(seatsToGive(waiting(more), NOW)).toBe(seats);
});

test.each([
  ['draft', 0],
  ['scheduled', 0],
  ['published', 2],
  ['in_progress', 0],
  ['completed', 0],
  ['cancelled', 0],
  ['postponed', 0],
] as const)('the waitlist of an event that is %s gets %d', (status, seats) => {
  expect(seatsToGive(waiting({ status }), NOW)).toBe(seats);
});

test.each([
  ['after the deadline', '2026-10-12T00:00:00Z', 2],
  ['a millisecond before the start', '2026-10-16T17:59:59.999Z', 2],
  ['at the start', '2026-10-16T18:00:00Z', 0],
])('promotes as many as the event allows: %s', (_, now, seats) => {
  const event = waiting({ registration_deadline: at('2026-10-10T12:00:00Z') });
  expect(seatsToGive(event, at(now))).toBe(seats);
});

test('gives no seat twice and leaves none free while a person waits', () => {
  const counts = fc.nat(200);
  fc.assert(
    fc.property(fc.option(counts), counts, counts, (max_attendees, current_attendees, waitlisted) => {
      const seats = seatsToGive(waiting({ max_attendees, current_attendees, waitlisted }), NOW);
      expect(seats).toBeGreaterThanOrEqual(0);
      expect(seats).toBeLessThanOrEqual(waitlisted);
      if (seats > 0 && max_attendees !== null) expect(current_attendees + seats).toBeLessThanOrEqual(max_attendees);
      const stillFree = max_attendees === null || current_attendees + seats < max_attendees;
      if (stillFree) expect(seats).toBe(waitlisted);
    }),
  );
});

const BY = { by: 'registration-9', because: 'cancelled', now: NOW } as const;
const eva = aRegistration({
  id: 'r-eva',
  user_id: 'eva',
  status: 'waitlisted',
  waitlist_number: 3,
  confirmation: 0,
  confirmed_at: null,
});
const jan = { ...eva, id: 'r-jan', user_id: 'jan', waitlist_number: 4, confirmation: 1 };

test('confirms, notifies and seats the promoted', () => {
  const event = waiting();
  const book = seatBookOf(event, [], [eva, jan]);
  expect(promote(book, 10, BY)).toBe(2);
  expect(book.event).toEqual({ ...event, current_attendees: 10, waitlisted: 3, confirmed: 2 });
  const up = { status: 'confirmed', promoted_by: 'registration-9', confirmed_at: NOW, updated_at: NOW };
  expect(book.rows.get('r-eva')).toMatchObject({ ...up, confirmation: 1, waitlist_number: 3 });
  expect(book.rows.get('r-jan')).toMatchObject({ ...up, confirmation: 2, waitlist_number: 4 });
  const head = { ...SCOPE, event_id: 'event-1', occurred_at: NOW, actor: 'system', type: 'registration.confirmed' };
  const by = { promoted_by: 'registration-9' };
  expect(book.facts).toEqual([
    { ...head, data: { registration_id: 'r-eva', user_id: 'eva', confirmation: 1, ...by } },
    { ...head, data: { registration_id: 'r-jan', user_id: 'jan', confirmation: 2, ...by } },
  ]);
});

test('confirms a promoted person also if new registrations need approval', () => {
  const book = seatBookOf(waiting({ requires_approval: true }), [], [eva]);
  promote(book, 1, BY);
  expect(book.rows.get('r-eva')?.status).toBe('confirmed');
});

test('promotes in the order of joining, and no more than asked for', () => {
  const book = seatBookOf(waiting(), [], [eva, jan]);
  expect(promote(book, 1, BY)).toBe(1);
  expect([book.rows.get('r-eva')?.status, book.rows.get('r-jan')?.status]).toEqual(['confirmed', 'waitlisted']);
});

test('records the cause of a promotion that no cancellation caused', () => {
  const book = seatBookOf(waiting(), [], [eva]);
  promote(book, 1, { by: null, because: 'capacity_raised', now: NOW });
  expect(book.rows.get('r-eva')).toMatchObject({ promoted_by: null, promoted_because: 'capacity_raised' });
  expect(book.facts).toMatchObject([{ data: { promoted_by: 'capacity_raised' } }]);
});

test('promotes no one in a full event', () => {
  const event = waiting({ current_attendees: 10 });
  const book = seatBookOf(event, [], [eva]);
  expect(promote(book, 1, BY)).toBe(0);
  expect({ event: book.event, facts: book.facts }).toEqual({ event, facts: [] });
});

test('ends the registration of a leaver who is next, and goes on', () => {
  const book = seatBookOf(waiting({ current_attendees: 9 }), [], [eva, jan], { leavers: new Set(['eva']) });
  expect(promote(book, 1, BY)).toBe(1);
  expect([book.rows.get('r-eva')?.status, book.rows.get('r-jan')?.status]).toEqual(['cancelled', 'confirmed']);
  expect(book.event).toMatchObject({ current_attendees: 10, waitlisted: 3 });
});

test('keeps a leaver on the waitlist until their turn', () => {
  const book = seatBookOf(waiting({ current_attendees: 9 }), [], [jan, eva], { leavers: new Set(['eva']) });
  expect(promote(book, 1, BY)).toBe(1);
  expect(book.rows.get('r-eva')?.status).toBe('waitlisted');
});
