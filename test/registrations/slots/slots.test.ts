import { expect, test } from 'vitest';
import type { Slot } from '../../../src/events/rules/slots.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { seatBookOf } from '../../../src/registrations/seats/seat-book.ts';
import { refuseSlots } from '../../../src/registrations/slots.ts';
import { aCaller, anEvent, aRegistration } from '../../support/builders.ts';

const EVENING = anEvent({
  event_type: 'parent_teacher',
  registration_type: 'optional',
  slots: { length_minutes: 20, hosts: ['jana', 'petr'].map((user_id) => ({ user_id, name: user_id })) },
});
/** The mother of Tom and Eva. */
const MOTHER = aCaller({ user_id: 'mother', children: ['tom', 'eva'] });

const slot = (host_user_id: string, minute: number): Slot => ({ host_user_id, minute });
const having = (slots: Slot[], more: Partial<Registration> = {}) =>
  aRegistration({ user_id: 'eva', registered_by: 'mother', slots, ...more });
const codeOf = (slots: Slot[], known: Registration[] = [], id: string | null = null, caller = MOTHER) =>
  refuseSlots(seatBookOf(EVENING, known, []), caller, id, slots)?.code ?? null;

test.each<[string, Slot[], string | null]>([
  ['a free time', [slot('jana', 40)], null],
  ['times of two teachers one after the other', [slot('jana', 0), slot('petr', 20)], null],
  ['no time', [], 'validation_failed'],
  ['a time between two meetings', [slot('jana', 30)], 'validation_failed'],
  ['a time after the end', [slot('jana', 120)], 'validation_failed'],
  ['a time that is offered and one that is not', [slot('jana', 0), slot('petr', 30)], 'validation_failed'],
  ['an unknown teacher', [slot('karel', 0)], 'validation_failed'],
  ['two times of one teacher', [slot('jana', 0), slot('jana', 40)], 'validation_failed'],
  ['two teachers at the same time', [slot('jana', 0), slot('petr', 0)], 'slots_overlap'],
])('%s: %j is refused with %s', (_what, slots, expected) => {
  expect(codeOf(slots)).toBe(expected);
});

test.each<[string, Registration, string | null]>([
  ['of another family', having([slot('jana', 0)], { user_id: 'anna', registered_by: 'other' }), 'slot_taken'],
  ['that was cancelled', having([slot('jana', 0)], { user_id: 'anna', status: 'cancelled' }), null],
  ['of another teacher for a sibling', having([slot('petr', 0)]), 'slots_overlap'],
  ['of a sibling later', having([slot('petr', 20)]), null],
  ['of a sibling whom the father registered', having([slot('petr', 0)], { registered_by: 'father' }), null],
  ['of another family at the same time', having([slot('petr', 0)], { user_id: 'anna', registered_by: 'other' }), null],
])('a meeting %s', (_what, known, expected) => {
  expect(codeOf([slot('jana', 0)], [known])).toBe(expected);
});

test('one of two times that another family has is named', () => {
  const known = having([slot('jana', 0)], { user_id: 'anna', registered_by: 'other' });
  const refused = refuseSlots(seatBookOf(EVENING, [known], []), MOTHER, null, [slot('jana', 0), slot('petr', 20)]);
  expect(refused).toMatchObject({ code: 'slot_taken', extra: { slots: [slot('jana', 0)] } });
});

test('a meeting of a sibling in the same step overlaps too', () => {
  const at = (minute: number) =>
    refuseSlots(seatBookOf(EVENING, [], []), MOTHER, null, [slot('jana', 0)], { chosen: [slot('petr', minute)] });
  expect([at(0)?.code, at(20)]).toEqual(['slots_overlap', null]);
});

test('staff who register several families are not taken for a parent', () => {
  const staff = aCaller({ user_id: 'staff' });
  const known = having([slot('petr', 0)], { user_id: 'anna', registered_by: 'staff' });
  expect(codeOf([slot('jana', 0)], [known], null, staff)).toBeNull();
});

test('a registration may keep its own time', () => {
  const known = having([slot('jana', 0)]);
  expect(codeOf([slot('jana', 0)], [known], known.id)).toBeNull();
});

test('an event without times takes none', () => {
  const book = seatBookOf(anEvent(), [], []);
  expect(refuseSlots(book, MOTHER, null, [slot('jana', 0)])?.code).toBe('validation_failed');
  expect(refuseSlots(book, MOTHER, null, [])).toBeNull();
});
