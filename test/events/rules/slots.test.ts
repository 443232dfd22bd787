import { describe, expect, it, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import {
  areSameSlots,
  firstMinute,
  slotFaults,
  slotsOf,
  spanOfSlot,
  takesSlotsAway,
} from '../../../src/events/rules/slots.ts';
import { anEvent, at } from '../../support/builders.ts';

const HOSTS = [
  { user_id: 'jana', name: 'Jana Dvořáková' },
  { user_id: 'petr', name: 'Petr Malý' },
];

/** 18:00 to 20:00. */
const evening = (slots: Partial<NonNullable<SchoolEvent['slots']>> = {}, more: Partial<SchoolEvent> = {}) =>
  anEvent({
    event_type: 'parent_teacher',
    registration_type: 'optional',
    slots: { length_minutes: 30, hosts: HOSTS, ...slots },
    ...more,
  });

const minutes = (event: SchoolEvent) => [...new Set(slotsOf(event).map(({ minute }) => minute))];

test.each([
  [{}, [0, 30, 60, 90]],
  [{ break_minutes: 10 }, [0, 40, 80]],
  [{ length_minutes: 25, break_minutes: 5 }, [0, 30, 60, 90]],
  [{ length_minutes: 120 }, [0]],
  [{ length_minutes: 121 }, []],
])('%j gives meetings at the minutes %j', (slots, expected) => {
  expect(minutes(evening(slots))).toEqual(expected);
});

test('every host has the same meetings', () => {
  expect(slotsOf(evening({ length_minutes: 60 }))).toEqual([
    { host_user_id: 'jana', minute: 0 },
    { host_user_id: 'petr', minute: 0 },
    { host_user_id: 'jana', minute: 60 },
    { host_user_id: 'petr', minute: 60 },
  ]);
});

test('two choices are the same in any order, but not if one has a meeting more', () => {
  const [first = { host_user_id: '', minute: 0 }, second = first] = slotsOf(evening());
  expect(areSameSlots([first, second], [second, first])).toBe(true);
  expect(areSameSlots([first], [first, second])).toBe(false);
});

test('no meetings have no first one', () => {
  expect(firstMinute([])).toBeUndefined();
});

test('an edit may not take the hosts away', () => {
  const slots = { length_minutes: 10 } as NonNullable<SchoolEvent['slots']>;
  expect(slotFaults({ ...evening(), slots })).toMatchObject([{ pointer: '/slots/hosts', rule: 'required' }]);
});

test('a meeting moves with the event', () => {
  const moved = evening({}, { starts_at: at('2026-10-17T16:00:00Z') });
  expect(spanOfSlot(moved, { minute: 30 })).toEqual({
    starts_at: at('2026-10-17T16:30:00Z'),
    ends_at: at('2026-10-17T17:00:00Z'),
  });
});

describe('an edit takes meetings away', () => {
  const chosen = evening({}, { current_attendees: 1 });
  it.each<[string, SchoolEvent, boolean]>([
    ['by a shorter event', evening({}, { ends_at: at('2026-10-16T19:30:00Z') }), true],
    ['by a teacher less', evening({ hosts: HOSTS.slice(1) }), true],
    ['by another length', evening({ length_minutes: 15 }), true],
    ['by a break', evening({ break_minutes: 5 }), true],
    ['by ending the choice', evening({}, { slots: null }), true],
    ['not by a longer event', evening({}, { ends_at: at('2026-10-16T21:00:00Z') }), false],
    ['not by another teacher', evening({ hosts: [...HOSTS, { user_id: 'eva', name: 'Eva' }] }), false],
    ['not by another day', evening({}, { start_date: '2026-10-17', end_date: '2026-10-17' }), false],
  ])('%s', (_how, after, expected) => {
    expect(takesSlotsAway(chosen, after)).toBe(expected);
    expect(takesSlotsAway(evening(), after)).toBe(false);
  });
});

test('the most meetings that an event can have are compared in less than a second', () => {
  const hosts = Array.from({ length: 60 }, (_, n) => ({ user_id: `teacher-${n}`, name: `Teacher ${n}` }));
  const day = { starts_at: at('2026-10-16T00:00:00Z'), ends_at: at('2026-10-16T23:59:00Z'), current_attendees: 1 };
  const longest = evening({ length_minutes: 5, hosts }, day);
  const began = performance.now();
  expect(takesSlotsAway(longest, { ...longest })).toBe(false);
  expect(performance.now() - began).toBeLessThan(1_000);
});

describe('refuses', () => {
  it.each<[string, SchoolEvent, string[]]>([
    ['nothing of an evening', evening(), []],
    ['an event of another type', evening({}, { event_type: 'meeting' }), ['/slots']],
    ['an event without registration', evening({}, { registration_type: 'none' }), ['/slots']],
    ['a waitlist', evening({}, { waitlist_enabled: true }), ['/waitlist_enabled']],
    ['an event of two days', evening({}, { end_date: '2026-10-17' }), ['/slots']],
    ['an all-day event', evening({}, { all_day: true, start_time: null, end_time: null }), ['/slots']],
    ['meetings longer than the event', evening({ length_minutes: 130 }), ['/slots/length_minutes']],
    ['a teacher named twice', evening({ hosts: [...HOSTS, ...HOSTS] }), ['/slots/hosts']],
    ['a removed length', evening({ length_minutes: undefined as never }), ['/slots/length_minutes']],
  ])('%s', (_what, event, pointers) => {
    expect(slotFaults(event).map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
