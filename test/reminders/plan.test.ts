import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { REMINDER_OFFSETS } from '../../src/events/rules/options.ts';
import { wantedPlan } from '../../src/reminders/plan.ts';
import { anEvent, at, NOW, SCOPE } from '../support/builders.ts';

const REMINDERS: SchoolEvent['reminders'] = [
  { type: 'email', offset: 1440 },
  { type: 'sms', offset: 15 },
];
const reminded = (more: Partial<SchoolEvent> = {}) => anEvent({ reminders: REMINDERS, ...more });
const ids = (event: SchoolEvent) => wantedPlan(event, NOW).map((row) => row.id);

test('offers the seven offsets of the specification', () => {
  expect(REMINDER_OFFSETS).toEqual([15, 30, 60, 120, 1440, 2880, 10080]);
});

test.each([
  [15, '2026-10-16T17:45:00.000Z'],
  [30, '2026-10-16T17:30:00.000Z'],
  [60, '2026-10-16T17:00:00.000Z'],
  [120, '2026-10-16T16:00:00.000Z'],
  [1440, '2026-10-15T18:00:00.000Z'],
  [2880, '2026-10-14T18:00:00.000Z'],
  [10080, '2026-10-09T18:00:00.000Z'],
  [0, '2026-10-16T18:00:00.000Z'],
])('%d minutes before the concert is %s', (offset, due_at) => {
  const [row] = wantedPlan(reminded({ reminders: [{ type: 'push', offset }] }), NOW);
  expect(row?.due_at.toISOString()).toBe(due_at);
});

test('a plan says what is due when, for which schedule', () => {
  expect(wantedPlan(reminded(), NOW)).toEqual([
    {
      ...SCOPE,
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      event_id: 'event-1',
      type: 'email',
      offset: 1440,
      schedule_version: 3,
      due_at: at('2026-10-15T18:00:00Z'),
      expires_at: at('2026-10-16T18:00:00Z'),
      status: 'planned',
    },
    {
      ...SCOPE,
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      event_id: 'event-1',
      type: 'sms',
      offset: 15,
      schedule_version: 3,
      due_at: at('2026-10-16T17:45:00Z'),
      expires_at: at('2026-10-16T18:00:00Z'),
      status: 'planned',
    },
  ]);
});

/** Promise 3: no reminder after a cancel, postpone to nowhere, or unpublish; a start drops what is left. */
test.each([
  ['draft', 0],
  ['scheduled', 0],
  ['published', 2],
  ['in_progress', 0],
  ['completed', 0],
  ['cancelled', 0],
] as const)('an event that is %s has %d reminders to come', (status, count) => {
  expect(wantedPlan(reminded({ status }), NOW)).toHaveLength(count);
});

test('a postponement plans for the new date, if there is one', () => {
  const moved = { status: 'postponed', starts_at: at('2026-11-20T18:00:00Z') } as const;
  const known = wantedPlan(reminded({ ...moved, postponed_to: moved.starts_at }), NOW);
  expect(known.map((row) => row.due_at)).toEqual([at('2026-11-19T18:00:00Z'), at('2026-11-20T17:45:00Z')]);
  expect(wantedPlan(reminded({ ...moved, postponed_to: null }), NOW)).toEqual([]);
  expect(wantedPlan(reminded({ ...moved, postponed_to: moved.starts_at, status: 'cancelled' }), NOW)).toEqual([]);
});

test('a deleted event and one without reminders have no plan', () => {
  expect(wantedPlan(reminded({ deleted_at: NOW }), NOW)).toEqual([]);
  expect(wantedPlan(reminded({ reminders: [] }), NOW)).toEqual([]);
});

test.each([
  ['2026-10-15T17:59:59.999Z', ['planned', 'planned']],
  ['2026-10-15T18:00:00.000Z', ['past_due', 'planned']],
  ['2026-10-16T17:50:00.000Z', ['past_due', 'past_due']],
])('planned at %s they are %j', (now, statuses) => {
  expect(wantedPlan(reminded(), at(now)).map((row) => row.status)).toEqual(statuses);
});

test('plans the same rows for the same event', () => {
  expect(ids(reminded({ version: 9, title: 'Winter concert', updated_at: NOW }))).toEqual(ids(reminded()));
});

test.each<[string, Partial<SchoolEvent>]>([
  ['another schedule', { schedule_version: 4 }],
  ['another event', { id: 'event-2' }],
  ['another offset', { reminders: REMINDERS.map(({ type, offset }) => ({ type, offset: offset + 1 })) }],
  ['another channel', { reminders: REMINDERS.map(({ offset }) => ({ type: 'push', offset })) }],
])('%s plans other rows', (_, more) => {
  const before = new Set(ids(reminded()));
  expect(ids(reminded(more)).filter((id) => before.has(id))).toEqual([]);
});

test('keeps the plan of an event with notifications off, since the gate records the reason', () => {
  expect(wantedPlan(reminded({ send_notifications: false }), NOW)).toHaveLength(2);
});

const ASKING: Partial<SchoolEvent> = {
  asks_acknowledgement: true,
  acknowledgement_reminder: { after_hours: 24, channels: ['sms'] },
  published_at: NOW,
  reminders: [],
};

test('a reminder to confirm is due at the chosen time after the announcement, and expires when the event begins', () => {
  const event = anEvent(ASKING);
  expect(wantedPlan(event, NOW)).toEqual([
    {
      ...SCOPE,
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      event_id: 'event-1',
      channels: ['sms'],
      due_at: new Date(NOW.getTime() + 24 * 3_600_000),
      expires_at: event.starts_at,
      status: 'planned',
    },
  ]);
});

test.each<[string, Partial<SchoolEvent>, boolean]>([
  ['is a draft', { status: 'draft', published_at: null }, false],
  ['is postponed', { status: 'postponed' }, false],
  ['is cancelled', { status: 'cancelled' }, false],
  ['was deleted', { deleted_at: NOW }, false],
  ['begins then', { starts_at: new Date(NOW.getTime() + 24 * 3_600_000) }, false],
  ['begins before', { starts_at: new Date(NOW.getTime() + 23 * 3_600_000) }, false],
  ['is a later date of a series', { is_recurring: true, parent_event_id: 'first' }, false],
  ['is the first date of a series', { is_recurring: true }, true],
])('an event that %s: a reminder to confirm is planned: %o', (_, more, isPlanned) => {
  expect(wantedPlan(anEvent({ ...ASKING, ...more }), NOW)).toHaveLength(isPlanned ? 1 : 0);
});

test.each<[string, Partial<SchoolEvent>]>([
  ['another announcement', { published_at: new Date(NOW.getTime() + 60_000) }],
  ['other channels', { acknowledgement_reminder: { after_hours: 24, channels: ['sms', 'push'] } }],
  ['other hours', { acknowledgement_reminder: { after_hours: 23, channels: ['sms'] } }],
])('%s plans another reminder to confirm', (_, more) => {
  expect(ids(anEvent({ ...ASKING, ...more }))).not.toEqual(ids(anEvent(ASKING)));
});

test('meetings that families choose are reminded of until the last one, also if the event is planned late', () => {
  const slots = { length_minutes: 10, hosts: [{ user_id: 'jana', name: 'Jana' }] };
  const evening = { ends_at: at('2026-10-16T20:00:00Z'), reminders: [{ type: 'email', offset: 60 } as const] };
  const plan = (more: Partial<SchoolEvent>, now: string) =>
    wantedPlan(reminded({ ...evening, ...more }), at(now)).map(({ status, expires_at }) => [status, expires_at]);
  const [late, last] = ['2026-10-16T17:30:00Z', '2026-10-16T19:00:00Z'];
  expect(plan({}, late)).toEqual([['past_due', at('2026-10-16T18:00:00Z')]]);
  expect(plan({ slots }, late)).toEqual([['planned', at('2026-10-16T20:00:00Z')]]);
  expect(plan({ slots }, last)).toEqual([['past_due', at('2026-10-16T20:00:00Z')]]);
});
