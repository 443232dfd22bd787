import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { scheduleOf } from '../../../src/events/rules/schedule.ts';
import { type Move, moved, moveFor, type PostponeInput } from '../../../src/events/rules/transitions.ts';
import { placeOf } from '../../../src/events/rules/unannounced-changes.ts';
import { anEvent, at, NOW, SCOPE } from '../../support/builders.ts';

const ACTOR = { user_id: 'head' };

function move(event: SchoolEvent, what: Move) {
  const result = moved(event, what, ACTOR, NOW);
  if (!('after' in result)) throw new Error(JSON.stringify(result));
  return { event: result.after, facts: result.facts };
}

/** The fields that only this move changed. */
function changes(before: SchoolEvent, after: SchoolEvent): Partial<SchoolEvent> {
  expect(after).toMatchObject({ version: before.version + 1, updated_at: NOW });
  const changed = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof SchoolEvent]),
  );
  const { version, updated_at, ...rest } = Object.fromEntries(changed) as Partial<SchoolEvent>;
  return rest;
}

const head = { ...SCOPE, event_id: 'event-1', occurred_at: NOW, actor: ACTOR };
const postpone = (input: Partial<PostponeInput> = {}): Move => ({
  action: 'postpone',
  input: { new_start_date: '2026-11-20', reason: 'storm', ...input },
});

test.each(['draft', 'scheduled', 'postponed'] as const)('publishing a %s event stamps it and tells it', (status) => {
  const before = anEvent({ status, published_at: null, sequence: 2, schedule_version: 3 });
  const { event, facts } = move(before, { action: 'publish' });
  expect(changes(before, event)).toEqual({ status: 'published', published_at: NOW, sequence: 3 });
  const says = expect.stringMatching(/^[0-9a-f]{64}$/);
  const kept = status === 'postponed' ? { after_postponement: true } : {};
  const data = { sequence: 3, schedule_version: 3, says, ...kept };
  expect(facts).toEqual([{ ...head, type: 'event.published', data }]);
});

test('publishing an unpublished event with registrations says that registered people have to learn it', () => {
  const { facts } = move(anEvent({ status: 'draft', waitlisted: 1 }), { action: 'publish' });
  expect(facts).toMatchObject([{ type: 'event.published', data: { after_unpublishing: true } }]);
});

test('an announcement says the same as long as time and place are the same', () => {
  const saysOf = (more: Partial<SchoolEvent>) => {
    const [fact] = move(anEvent({ status: 'draft', ...more }), { action: 'publish' }).facts;
    return fact?.type === 'event.published' ? fact.data.says : null;
  };
  const first = saysOf({});
  expect(saysOf({ title: 'Autumn Concert', description: 'with a choir', sequence: 9, max_attendees: 7 })).toBe(first);
  expect(saysOf({ start_time: '17:00' })).not.toBe(first);
  expect(saysOf({ end_date: '2026-10-17' })).not.toBe(first);
  expect(saysOf({ location_name: 'Gym' })).not.toBe(first);
});

test('publishing by hand ends the wait for publish_at', () => {
  const before = anEvent({ status: 'scheduled', publish_at: at('2026-09-10T06:00:00Z') });
  expect(move(before, { action: 'publish' }).event.publish_at).toBeNull();
});

test.each([
  ['required', { max_attendees: null }, ['/max_attendees']],
  ['required', { registration_deadline: null }, ['/registration_deadline']],
  ['ticketed', { cost: null }, ['/cost']],
  ['ticketed', { currency: null }, ['/currency']],
] as const)('a %s event with %j is not published', (registration_type, missing, pointers) => {
  const complete = {
    status: 'draft',
    max_attendees: 10,
    registration_deadline: at('2026-10-10T00:00:00Z'),
    is_free: false,
    cost: 5,
    currency: 'EUR',
  } as const;
  const result = moved(anEvent({ ...complete, registration_type, ...missing }), { action: 'publish' }, ACTOR, NOW);
  expect('faults' in result && result.faults.map((fault) => fault.pointer)).toEqual(pointers);
});

test('unpublishing goes back to draft, clears published_at and keeps registrations and waitlist', () => {
  const before = anEvent({ current_attendees: 7, waitlisted: 2, last_waitlist_number: 4 });
  const { event, facts } = move(before, { action: 'unpublish' });
  const twoMinutesLater = new Date(NOW.getTime() + 120_000);
  expect(changes(before, event)).toEqual({ status: 'draft', published_at: null });
  expect(facts).toEqual([{ ...head, type: 'event.unpublished', data: { sequence: 2, tell_at: twoMinutesLater } }]);
});

test('publishing again after unpublish is another announcement than the first', () => {
  const first = move(anEvent({ status: 'draft' }), { action: 'publish' });
  const again = move(move(first.event, { action: 'unpublish' }).event, { action: 'publish' });
  expect(again.facts[0]?.data).not.toEqual(first.facts[0]?.data);
  expect(again.event.sequence).toBeGreaterThan(first.event.sequence);
});

test.each(['draft', 'scheduled', 'published', 'in_progress', 'postponed'] as const)(
  'cancelling a %s event records why and when',
  (status) => {
    const before = anEvent({ status, publish_at: at('2026-09-10T06:00:00Z') });
    const { event, facts } = move(before, { action: 'cancel', input: { reason: 'storm' } });
    expect(changes(before, event)).toEqual({
      status: 'cancelled',
      cancelled_at: NOW,
      cancellation_reason: 'storm',
      publish_at: null,
      sequence: 3,
    });
    expect(facts).toEqual([{ ...head, type: 'event.cancelled', data: { sequence: 3, reason: 'storm', notify: null } }]);
  },
);

test.each<[string, (event: SchoolEvent) => unknown[]]>([
  ['cancelling', (event) => move(event, { action: 'cancel', input: { reason: 'storm' } }).facts],
  ['postponing', (event) => move(event, postpone()).facts],
])(
  '%s an event keeps the date and place that people know, if a change of them is not announced yet',
  (_name, factsOf) => {
    const where = { location_name: 'Gym', location: null };
    const known = { schedule: scheduleOf(anEvent()), place: placeOf({ ...anEvent(), ...where }), where };
    const untold_change = { since: NOW, ...known, tell_at: new Date(NOW.getTime() + 1) };
    const edited = anEvent({ start_date: '2026-11-20', end_date: '2026-11-20', untold_change });
    const kept = { previous: scheduleOf(anEvent()), previous_place: where, changed_at: NOW };
    expect(factsOf(edited)).toMatchObject([{ data: kept }]);
    const announced = { ...edited, untold_change: { ...untold_change, tell_at: NOW } };
    expect(factsOf(announced)).not.toMatchObject([{ data: { previous: kept.previous } }]);
  },
);

test.each([[true], [false]])('notify: %s of cancel and postpone goes into the fact', (notify) => {
  const cancelled = move(anEvent(), { action: 'cancel', input: { reason: 'storm', notify } });
  const postponed = move(anEvent(), postpone({ notify }));
  expect(cancelled.facts).toMatchObject([{ data: { notify } }]);
  expect(postponed.facts).toMatchObject([{ data: { notify } }]);
});

test.each<[string, object, string]>([
  ['as many days as the start', {}, '2026-11-14T10:00:00.000Z'],
  ['to a new deadline', { new_registration_deadline: at('2026-11-19T10:00:00Z') }, '2026-11-19T10:00:00.000Z'],
  ['not at all while the date is unknown', { new_start_date: null }, '2026-10-10T10:00:00.000Z'],
])('postponing moves the registration deadline %s', (_name, input, deadline) => {
  const { event } = move(anEvent({ registration_deadline: at('2026-10-10T10:00:00Z') }), postpone(input));
  expect(event.registration_deadline?.toISOString()).toBe(deadline);
});

test('without a new date, each date of a series gets a deadline as many days apart as the dates', () => {
  const later = anEvent({ id: 'later', start_date: '2026-10-23', end_date: '2026-10-23' });
  const input = { new_start_date: null, new_registration_deadline: at('2026-10-10T10:00:00Z') };
  expect(moveFor(later, anEvent(), postpone(input))).toMatchObject({
    input: { new_start_date: null, new_registration_deadline: at('2026-10-17T10:00:00Z') },
  });
});

test.each<[string, object, string]>([
  ['to the past', { new_start_date: '2026-08-31' }, '/new_start_date'],
  [
    'to this very day, if its time has passed',
    { new_start_date: NOW.toISOString().slice(0, 10), new_start_time: '00:00' },
    '/new_start_date',
  ],
  ['to before its deadline', { new_registration_deadline: at('2026-12-01T10:00:00Z') }, '/new_registration_deadline'],
  [
    'without a date to a deadline after its start',
    { new_start_date: null, new_registration_deadline: at('2026-12-01T10:00:00Z') },
    '/new_registration_deadline',
  ],
])('refuses to postpone an event %s', (_name, input, pointer) => {
  const result = moved(anEvent(), postpone(input), ACTOR, NOW);
  expect('faults' in result && result.faults.map((fault) => fault.pointer)).toEqual([pointer]);
});

test.each(['scheduled', 'published'] as const)('postponing a %s event moves its dates immediately', (status) => {
  const before = anEvent({ status, current_attendees: 7, waitlisted: 2 });
  const { event, facts } = move(before, postpone());
  expect(changes(before, event)).toEqual({
    status: 'postponed',
    start_date: '2026-11-20',
    end_date: '2026-11-20',
    starts_at: at('2026-11-20T18:00:00Z'),
    ends_at: at('2026-11-20T20:00:00Z'),
    postponed_to: at('2026-11-20T18:00:00Z'),
    postponement_reason: 'storm',
    sequence: 3,
    schedule_version: 4,
    change_version: 2,
  });
  expect(facts).toEqual([
    {
      ...head,
      type: 'event.postponed',
      data: {
        sequence: 3,
        schedule_version: 4,
        change_version: 2,
        reason: 'storm',
        previous: {
          start_date: '2026-10-16',
          end_date: '2026-10-16',
          start_time: '18:00',
          end_time: '20:00',
          timezone: 'UTC',
          all_day: false,
        },
        date_known: true,
        notify: null,
      },
    },
  ]);
});

test('new dates are wall clocks in the zone of the event, on the other side of a clock change too', () => {
  const before = anEvent({ timezone: 'Europe/Prague', starts_at: at('2026-10-16T16:00:00Z') });
  const { event } = move(before, postpone({ new_start_date: '2026-11-20' }));
  expect(event.starts_at).toEqual(at('2026-11-20T17:00:00Z'));
  expect(event.postponed_to).toEqual(at('2026-11-20T17:00:00Z'));
});

test('postponing without a known date keeps the dates and says so', () => {
  const before = anEvent({ postponed_to: at('2026-10-16T18:00:00Z') });
  const { event, facts } = move(before, postpone({ new_start_date: null }));
  expect(changes(before, event)).toEqual({
    status: 'postponed',
    postponed_to: null,
    postponement_reason: 'storm',
    sequence: 3,
    schedule_version: 4,
    change_version: 2,
  });
  expect(facts).toMatchObject([{ data: { date_known: false, schedule_version: 4 } }]);
});

test.each<[string, Partial<SchoolEvent>, 'draft' | 'scheduled']>([
  ['ahead', { postponed_to: at('2026-10-16T18:00:00Z') }, 'scheduled'],
  ['past', { postponed_to: NOW, starts_at: NOW }, 'draft'],
  ['not known', { postponed_to: null }, 'draft'],
])('a postponed event whose date is %s returns as it can', (_, dates, status) => {
  const { event, facts } = move(anEvent({ status: 'postponed', ...dates }), { action: 'return' });
  expect(event.status).toBe(status);
  expect(facts).toMatchObject([{ type: 'event.returned', data: { to: status } }]);
});

test('a postponed event that lacks what its registration needs returns only to draft', () => {
  const lacking = anEvent({ status: 'postponed', registration_type: 'required', max_attendees: null });
  const to = (status: 'draft' | 'scheduled') => moved(lacking, { action: 'return', to: status }, ACTOR, NOW);
  expect('faults' in to('scheduled')).toBe(true);
  expect(to('draft')).toMatchObject({ after: { status: 'draft' } });
});

test.each([
  [{ new_start_date: '2026-02-30' }, '/new_start_date'],
  [{ new_end_date: '2026-02-30' }, '/new_end_date'],
  [{ new_end_date: '2026-11-19' }, '/new_end_date'],
  [{ new_end_time: '17:59' }, '/new_end_time'],
  [{ new_end_time: '18:00' }, '/new_end_time'],
  [{ new_start_date: null, new_end_date: '2026-11-20' }, '/new_start_date'],
  [{ new_start_date: null, new_start_time: '07:00' }, '/new_start_date'],
] as const)('postponing to %j is refused at %s', (input, pointer) => {
  const result = moved(anEvent(), postpone(input), ACTOR, NOW);
  expect('faults' in result && result.faults.map((fault) => fault.pointer)).toContain(pointer);
});

test('an event whose start has passed can be postponed to no date yet', () => {
  const past = anEvent({ start_date: '2026-08-31', end_date: '2026-08-31' });
  expect(move(past, postpone({ new_start_date: null })).event).toMatchObject({ postponed_to: null });
});

test.each<[Partial<PostponeInput>, Partial<PostponeInput>]>([
  [{ new_end_date: '2026-11-21' }, { new_start_date: '2026-11-27', new_end_date: '2026-11-28' }],
  [{ new_start_date: null }, { new_start_date: null }],
])('postponing by %j moves the next date of the series to %j', (input, expected) => {
  const sibling = anEvent({ id: 'next', start_date: '2026-10-23', end_date: '2026-10-23' });
  expect(moveFor(sibling, anEvent(), postpone(input))).toMatchObject({ input: expected });
});

test('postponing to the same date plans the reminders again', () => {
  const { event } = move(anEvent(), postpone({ new_start_date: '2026-10-16' }));
  expect(event.schedule_version).toBe(4);
});

test('starting and completing change the state only and are facts of their own', () => {
  const published = anEvent({ schedule_version: 3 });
  const started = move(published, { action: 'start' });
  expect(changes(published, started.event)).toEqual({ status: 'in_progress' });
  expect(started.facts).toEqual([{ ...head, type: 'event.started', data: { schedule_version: 3 } }]);
  const completed = move(started.event, { action: 'complete' });
  expect(completed.event.status).toBe('completed');
  expect(completed.event.version).toBe(published.version + 2);
  expect(completed.facts).toEqual([{ ...head, type: 'event.completed', data: {} }]);
});

test('does not change the given event', () => {
  const event = Object.freeze(anEvent());
  expect(() => move(event, postpone())).not.toThrow();
});
