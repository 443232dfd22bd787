import { expect, test } from 'vitest';
import { allowedOn, allowedToOwner, type RegistrationAction, stageOf } from '../../src/registrations/allowed.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import { anEvent, aRegistration, at } from '../support/builders.ts';

/** Half an hour before the event, whose door is open for an hour before. */
const WHEN = { now: at('2026-10-16T17:30:00Z'), opensMs: 3_600_000 };
const CHECKED_IN = { checked_in_at: at('2026-10-16T17:29:00Z') };

test.each<[string, Partial<Registration>, Parameters<typeof anEvent>[0], RegistrationAction[], RegistrationAction[]]>([
  ['pending', { status: 'pending' }, {}, ['confirm', 'decline', 'cancel'], ['cancel']],
  ['confirmed', {}, {}, ['decline', 'cancel', 'check_in'], ['cancel', 'check_in']],
  ['waitlisted', { status: 'waitlisted' }, {}, ['decline', 'cancel'], ['cancel']],
  ['checked in', CHECKED_IN, {}, ['decline', 'cancel', 'undo_check_in'], ['cancel']],
  ['cancelled', { status: 'cancelled' }, {}, [], []],
  ['cancelled after a check-in', { status: 'cancelled', ...CHECKED_IN }, {}, [], []],
  ['confirmed for a draft', {}, { status: 'draft' }, ['decline', 'cancel'], ['cancel']],
  ['pending when the event is over', { status: 'pending' }, { status: 'completed' }, ['decline', 'cancel'], []],
  ['confirmed when the event is over', {}, { status: 'completed' }, ['decline', 'cancel', 'check_in'], []],
])('staff and the owner see what they can do with a registration that is %s', (_, of, event, staff, owner) => {
  const registration = aRegistration(of);
  expect(allowedOn(registration, anEvent(event), WHEN)).toEqual(staff);
  expect(allowedToOwner(registration, anEvent(event), WHEN)).toEqual(owner);
});

test.each([
  ['draft', 'before'],
  ['postponed', 'before'],
  ['published', 'open'],
  ['in_progress', 'open'],
  ['completed', 'over'],
  ['cancelled', 'over'],
] as const)('an event that is %s can be attended: %s', (status, stage) => {
  expect(stageOf(status)).toBe(stage);
});
