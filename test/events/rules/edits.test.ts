import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { FIELD_NAMES } from '../../../src/events/event-fields.ts';
import { edited, patchFor } from '../../../src/events/rules/edits.ts';
import { anEvent, at } from '../../support/builders.ts';

const WEEKLY = { is_recurring: true, recurrence_pattern: 'weekly' } as const;
const WHOLE_DAY = { all_day: true, start_time: null, end_time: null };

const NOW = at('2026-09-01T08:00:00Z');
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const ACTOR = { user_id: 'staff' };

function edit(event: SchoolEvent, patch: object, now = NOW) {
  const result = edited(event, patch, ACTOR, now);
  if (!('after' in result)) throw new Error(JSON.stringify(result));
  return result;
}

test.each([
  ['a price makes an event cost something', { cost: 100, currency: 'CZK' }, { is_free: false }],
  ['a pattern makes it repeat', { recurrence_pattern: 'weekly' }, { is_recurring: true }],
])('%s, as in a new event, and the history says so', (_name, patch, follows) => {
  const { after, facts } = edit(anEvent({ status: 'draft', is_free: true }), patch);
  expect(after).toMatchObject(follows);
  expect(facts).toMatchObject([{ data: { fields: FIELD_NAMES.filter((name) => name in { ...patch, ...follows }) } }]);
});

test.each<[string, Partial<SchoolEvent>, object, Partial<SchoolEvent>]>([
  ['no pattern ends the repetition', WEEKLY, { recurrence_pattern: 'none' }, { is_recurring: false }],
  ['a price of 0 costs nothing', { is_free: true }, { cost: 0 }, { is_free: true }],
  ['a title has no blanks around it', {}, { title: ' Fair ' }, { title: 'Fair' }],
  ['a cleared list is empty', { tags: ['music'] }, { tags: null }, { tags: [] }],
  ['a cleared text is none', { description: 'Bring a chair.' }, { description: null }, { description: null }],
  ['whole days have no times', {}, { all_day: true }, { start_time: null, end_time: null }],
  [
    'times that are missing are the usual ones',
    WHOLE_DAY,
    { all_day: false },
    { start_time: '09:00', end_time: '10:00' },
  ],
  ['whole days stay without times', WHOLE_DAY, { title: 'Fair' }, { start_time: null, end_time: null }],
  ['a new time is another schedule', { schedule_version: 3 }, { start_time: '17:00' }, { schedule_version: 4 }],
  ['a new title is the same schedule', { schedule_version: 3 }, { title: 'Fair' }, { schedule_version: 3 }],
  [
    'a new day is the new date of a postponed event',
    { status: 'postponed', postponed_to: null },
    { start_date: '2026-10-15' },
    { postponed_to: at('2026-10-15T18:00:00Z') },
  ],
  [
    'a new time moves its known date',
    { status: 'postponed', postponed_to: at('2026-10-16T18:00:00Z') },
    { start_time: '17:00' },
    { postponed_to: at('2026-10-16T17:00:00Z') },
  ],
  [
    'a new time alone gives it no date',
    { status: 'postponed', postponed_to: null },
    { start_time: '17:00' },
    { postponed_to: null },
  ],
  [
    'a new title gives it no date',
    { status: 'postponed', postponed_to: null },
    { title: 'Fair' },
    { postponed_to: null },
  ],
  [
    'another end gives it no date',
    { status: 'postponed', postponed_to: null },
    { end_time: '23:00' },
    { postponed_to: null },
  ],
  [
    'a new time of another event is no postponement',
    { postponed_to: null },
    { start_time: '17:00' },
    { postponed_to: null },
  ],
])('after an edit %s', (_, event, patch, expected) => {
  expect(edit(anEvent({ status: 'draft', ...event }), patch).after).toMatchObject(expected);
});

test('only a new capacity must have room for the seats taken', () => {
  const overfilled = anEvent({ max_attendees: 5, current_attendees: 7 });
  const isRefused = (patch: object) => 'refusal' in edited(overfilled, patch, ACTOR, NOW);
  expect([{ title: 'Fair' }, { max_attendees: 7 }, { max_attendees: null }].map(isRefused)).toEqual(
    Array(3).fill(false),
  );
  expect(isRefused({ max_attendees: 6 })).toBe(true);
});

test('an edit can’t remove what a reminder to confirm needs', () => {
  const asking = {
    asks_acknowledgement: true,
    acknowledgement_reminder: { after_hours: 24, channels: ['email' as const] },
  };
  const result = edited(
    anEvent(asking),
    { acknowledgement_reminder: { after_hours: null, channels: null } },
    ACTOR,
    NOW,
  );
  expect('faults' in result && result.faults.map(({ pointer }) => pointer)).toEqual([
    '/acknowledgement_reminder/after_hours',
    '/acknowledgement_reminder/channels',
  ]);
});

test('the deadline of each date of a series is as long before its start', () => {
  const registration_deadline = at('2026-10-14T12:00:00Z');
  const before = anEvent();
  const sibling = anEvent({ start_date: '2026-10-23', end_date: '2026-10-23' });
  const fitted = (patch: Partial<SchoolEvent>) =>
    patchFor(
      sibling,
      { before, after: { ...before, registration_deadline, ...patch } },
      { registration_deadline, ...patch },
    );
  expect(fitted({}).patch).toEqual({ registration_deadline: at('2026-10-21T12:00:00Z') });
  expect(fitted({ start_date: '2026-10-17', end_date: '2026-10-18' }).patch).toEqual({
    start_date: '2026-10-24',
    end_date: '2026-10-25',
    registration_deadline: at('2026-10-21T12:00:00Z'),
  });
});

test('an edit of one date changes in the others only what it changes', () => {
  const [before, after] = [anEvent(), anEvent({ end_date: '2026-10-18', title: 'Fair' })];
  const sibling = anEvent({ start_date: '2026-10-23', end_date: '2026-10-23', registration_deadline: NOW });
  const fitted = (patch: Partial<SchoolEvent>) => patchFor(sibling, { before, after }, patch).patch;
  expect(fitted({ title: 'Fair' })).toEqual({ title: 'Fair' });
  expect(fitted({ end_date: '2026-10-18' })).toEqual({ start_date: '2026-10-23', end_date: '2026-10-25' });
});

test('a date that was moved by itself keeps its start and end', () => {
  const [before, after] = [anEvent(), anEvent({ end_date: '2026-10-18' })];
  const sibling = anEvent({ overrides: ['start_date'] });
  const { patch, left_out } = patchFor(sibling, { before, after }, { end_date: '2026-10-18' });
  expect([patch, left_out.sort()]).toEqual([{}, ['end_date', 'start_date']]);
});

test('an event that begins to repeat is the first date of its series, and a date of a series stays the same', () => {
  const weekly = { recurrence_pattern: 'weekly' } as const;
  const first = edited(anEvent({ recurrence_id: null, occurrence_date: null }), weekly, ACTOR, NOW);
  expect(first).toMatchObject({ after: { occurrence_date: '2026-10-16', recurrence_id: '20261016T180000Z' } });
  const date = anEvent({ ...weekly, is_recurring: true, occurrence_date: '2026-10-09' });
  expect(edited(date, { title: 'Fair' }, ACTOR, NOW)).toMatchObject({ after: { occurrence_date: '2026-10-09' } });
  expect(edited(anEvent(), { title: 'Fair' }, ACTOR, NOW)).toMatchObject({ after: { occurrence_date: null } });
});

test.each([
  ['an event with a price is free', { cost: 100, currency: 'CZK', is_free: true }, '/is_free'],
  ['an event with a pattern does not repeat', { recurrence_pattern: 'weekly', is_recurring: false }, '/is_recurring'],
])('an edit that says that %s is refused', (_, patch, pointer) => {
  const result = edited(anEvent(), patch, ACTOR, NOW);
  expect('faults' in result && result.faults.map((fault) => fault.pointer)).toEqual([pointer]);
});

describe('the fact about an edit of a published event', () => {
  // docs/decisions.md, "Which edits notify people?", by hand: the field, and whether people hear of it.
  test.each([
    [{ title: 'Autumn concert!' }, 'event.edited'],
    [{ description: 'Bring a chair.' }, 'event.edited'],
    [{ max_attendees: 50 }, 'event.edited'],
    [{ tags: ['music'] }, 'event.edited'],
    [{ location: { capacity: 120, mapLink: 'https://map.test/x' } }, 'event.edited'],
    [{ start_time: '17:00' }, 'event.changed'],
    [{ end_time: '21:00' }, 'event.changed'],
    [{ start_date: '2026-10-17', end_date: '2026-10-17' }, 'event.changed'],
    [{ timezone: 'Europe/Prague' }, 'event.changed'],
    [{ all_day: true }, 'event.changed'],
    [{ location_name: 'Gym' }, 'event.changed'],
    [{ location: { room: '12' } }, 'event.changed'],
    [{ location: { isVirtual: true, virtualLink: 'https://meet.test/x' } }, 'event.changed'],
  ])('records the patch %j as %s', (patch, type) => {
    const { after: event, facts } = edit(anEvent(), patch);
    expect(facts.map((fact) => fact.type)).toEqual([type]);
    const notices = type === 'event.changed' ? 1 : 0;
    expect(event).toMatchObject({ sequence: 2 + notices, change_version: 1 + notices, version: 5 });
  });

  test.each<[string, Partial<SchoolEvent>, object, string]>([
    [
      'moved to the other field',
      { location_name: 'Hall' },
      { location_name: null, location: { name: 'Hall' } },
      'edited',
    ],
    ['given in the other field too', { location_name: 'Hall' }, { location: { name: 'Hall' } }, 'edited'],
    [
      'moved back',
      { location_name: null, location: { name: 'Hall' } },
      { location_name: 'Hall', location: null },
      'edited',
    ],
    ['replaced by another', { location_name: 'Hall' }, { location: { name: 'Gym' } }, 'changed'],
    ['taken from both fields', { location_name: 'Hall', location: { name: 'Gym' } }, { location: null }, 'changed'],
  ])('is about what people read if the name of the place is %s', (_, event, patch, type) => {
    expect(edit(anEvent(event), patch).facts.map((fact) => fact.type)).toEqual([`event.${type}`]);
  });

  test.each(['draft', 'scheduled', 'postponed'] as const)('a changed time of a %s event notifies no one', (status) => {
    const { after: event, facts } = edit(anEvent({ status }), { start_time: '17:00' });
    expect(facts).toMatchObject([{ type: 'event.edited', data: { fields: ['start_time'] } }]);
    expect(event).toMatchObject({ sequence: 2, starts_at: at('2026-10-16T17:00:00Z') });
  });

  test('an edit that changes nothing has no fact', () => {
    const event = anEvent({ location: { room: '12', building: 'B' } });
    expect(edit(event, { title: event.title, location: { building: 'B', room: '12' }, tags: [] })).toEqual({
      before: event,
      after: event,
      facts: [],
    });
  });
});

describe('edits one after the other', () => {
  const original = { start_time: '18:00', end_time: '20:00' };

  test('within two minutes become one notice with what people last knew', () => {
    const first = edit(anEvent(), { start_time: '17:00' });
    expect(first.facts).toMatchObject([{ data: { previous: original, change_version: 2, tell_at: inSeconds(120) } }]);
    const second = edit(first.after, { start_time: '16:00', end_time: '19:00' }, inSeconds(119));
    expect(second.facts).toMatchObject([{ data: { previous: original, change_version: 3, tell_at: inSeconds(239) } }]);
    expect([first, second].map(({ facts }) => facts)).toMatchObject(Array(2).fill([{ data: { changed_at: NOW } }]));
    const later = edit(second.after, { start_time: '15:00' }, inSeconds(239));
    const previous = { start_time: '16:00' };
    expect(later.facts).toMatchObject([{ data: { previous, changed_at: inSeconds(239), tell_at: inSeconds(359) } }]);
  });

  test('that never end are announced after ten minutes', () => {
    let event = anEvent();
    let data: unknown;
    for (let i = 0; i < 6; i += 1) {
      const next = edit(event, { start_time: `1${i}:00` }, inSeconds(i * 100));
      event = next.after;
      data = next.facts[0]?.data;
      expect(data).toMatchObject({ previous: original });
    }
    expect(data).toMatchObject({ tell_at: inSeconds(600) });
  });

  test('that undo each other notify only people who were notified meanwhile', () => {
    const first = edit(anEvent(), { start_time: '17:00' }, inSeconds(10));
    const second = edit(first.after, { start_time: '16:00', location: { room: '12' } }, inSeconds(20));
    const back = edit(second.after, { start_time: '18:00', location: null }, inSeconds(60));
    expect(back.facts).toMatchObject([
      {
        type: 'event.changed',
        data: {
          change_version: 4,
          told_since: inSeconds(10),
          previous: { start_time: '16:00' },
          previous_place: { location: { room: '12' } },
          tell_at: inSeconds(60),
        },
      },
    ]);
    expect(back.after).toMatchObject({ change_version: 4, untold_change: null });
    // The next one is a change like any other.
    const next = edit(back.after, { start_time: '15:00' }, inSeconds(70));
    expect(next.facts[0]?.data).toMatchObject({ previous: original, tell_at: inSeconds(190) });
    expect(next.facts[0]?.data).not.toHaveProperty('told_since');
  });

  test('that undo an announced change are announced as a change', () => {
    const first = edit(anEvent(), { start_time: '17:00' });
    const back = edit(first.after, { start_time: '18:00' }, inSeconds(120));
    expect(back.facts).toMatchObject([{ type: 'event.changed', data: { previous: { start_time: '17:00' } } }]);
    expect(back.facts[0]?.data).not.toHaveProperty('told_since');
  });
});

describe('the notify option of an edit', () => {
  // The first of two edits within two minutes, the second, and their one notice.
  test.each([
    [undefined, undefined, undefined],
    [undefined, false, undefined],
    [undefined, true, true],
    [false, undefined, undefined],
    [false, false, false],
    [false, true, true],
    [true, undefined, true],
    [true, false, true],
  ])('with notify %s and then %s sends the notice: %s', (first, second, notice) => {
    const moved = edited(anEvent(), { start_time: '17:00' }, ACTOR, NOW, first);
    if (!('after' in moved)) throw new Error('refused');
    const [fact] = moved.facts;
    expect(fact?.type === 'event.changed' && fact.data.notify).toBe(first);
    const again = edited(moved.after, { start_time: '16:00' }, ACTOR, inSeconds(60), second);
    if (!('after' in again)) throw new Error('refused');
    const [last] = again.facts;
    expect(last?.type === 'event.changed' && last.data.notify).toBe(notice);
  });

  test('false leaves an earlier notice valid, which may wait for the end of quiet hours', () => {
    const silent = (event: SchoolEvent, start_time: string, seconds: number) =>
      (edited(event, { start_time }, ACTOR, inSeconds(seconds), false) as { after: SchoolEvent }).after;
    const { after } = edit(anEvent(), { start_time: '17:00' });
    const later = silent(after, '16:00', 200);
    expect([after, later, silent(later, '17:00', 250)]).toMatchObject(Array(3).fill({ change_version: 2 }));
    expect(edit(later, { start_time: '15:00' }, inSeconds(400)).after.change_version).toBe(3);
  });

  test('counts for an edit that undoes another', () => {
    const { after } = edit(anEvent(), { start_time: '17:00' });
    const undone = edited(after, { start_time: '18:00' }, ACTOR, inSeconds(60), true);
    expect(undone).toMatchObject({ facts: [{ type: 'event.changed', data: { told_since: NOW, notify: true } }] });
  });

  test('is chosen again after the first edit was announced', () => {
    const { after } = edited(anEvent(), { start_time: '17:00' }, ACTOR, NOW, false) as { after: SchoolEvent };
    const { facts } = edit(after, { start_time: '16:00' }, inSeconds(200));
    expect(facts[0]?.data).not.toHaveProperty('notify');
  });
});
