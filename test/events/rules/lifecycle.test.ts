import { expect, test } from 'vitest';
import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../../../src/events/event.ts';
import {
  ACTIONS,
  type Action,
  allowedActions,
  type ClockAction,
  isDue,
  isPossible,
  refusalOf,
  refusedActions,
} from '../../../src/events/rules/lifecycle.ts';
import { PERMISSIONS } from '../../../src/people/caller.ts';
import { anEvent, at } from '../../support/builders.ts';

/** docs/decisions.md, "Lifecycle", read state by state. */
const POSSIBLE: Record<EventStatus, Action[]> = {
  draft: ['edit', 'publish', 'cancel', 'schedule', 'duplicate', 'delete'],
  scheduled: ['edit', 'publish', 'cancel', 'postpone', 'duplicate', 'delete'],
  published: ['edit', 'unpublish', 'cancel', 'postpone', 'start', 'duplicate', 'delete', 'share'],
  in_progress: ['cancel', 'complete', 'duplicate', 'delete'],
  completed: ['duplicate', 'delete'],
  cancelled: ['duplicate', 'delete'],
  postponed: ['edit', 'publish', 'cancel', 'return', 'duplicate', 'delete'],
};

const EVERY_ACTION = Object.keys(ACTIONS) as Action[];

const holding = (...permissions: string[]) => ({ user_id: 'olga', permissions });
const everything = holding(...Object.values(PERMISSIONS).flat());
const pairs = EVENT_STATUSES.flatMap((status) => EVERY_ACTION.map((action) => [status, action] as const));

test.each(pairs)('a %s event allows or refuses the action %s as the table says', (status, action) => {
  const possible = POSSIBLE[status].includes(action);
  expect(isPossible(status, action)).toBe(possible);
  expect(allowedActions(anEvent({ status }), everything).includes(action)).toBe(possible);
  const refusal = refusalOf(anEvent({ status }), action, everything);
  if (possible) expect(refusal).toBeNull();
  else {
    expect(refusal).toMatchObject({
      code: action === 'edit' ? 'event_not_editable' : 'invalid_transition',
      extra: { current_status: status, allowed_actions: EVERY_ACTION.filter((one) => POSSIBLE[status].includes(one)) },
    });
  }
});

test.each(EVENT_STATUSES)('nothing is allowed in %s without a permission', (status) => {
  expect(allowedActions(anEvent({ status }), holding())).toEqual([]);
});

/** The actions that one permission alone allows, over all states. */
test.each([
  ['events.view', ['share']],
  ['events.create', ['duplicate']],
  ['events.update', ['edit', 'publish', 'unpublish', 'cancel', 'postpone', 'schedule', 'return', 'start', 'complete']],
  ['events.publish', ['publish', 'unpublish', 'schedule']],
  ['events.cancel', ['cancel']],
  ['events.delete', ['delete']],
  ['events.delete.any', []],
  ['events.registrations.manage', []],
  ['events.statistics.view', []],
] as const)('%s alone opens %j', (permission, actions) => {
  const opened = new Set(EVENT_STATUSES.flatMap((status) => allowedActions(anEvent({ status }), holding(permission))));
  expect([...opened].sort()).toEqual([...actions].sort());
});

test.each(EVENT_STATUSES)(
  'a %s event is deleted with events.delete if it is a draft, else with events.delete.any too',
  (status) => {
    const offered = (...permissions: string[]) =>
      allowedActions(anEvent({ status }), holding(...permissions)).includes('delete');
    expect(offered('events.delete')).toBe(status === 'draft');
    expect(offered('events.delete', 'events.delete.any')).toBe(true);
    expect(offered('events.delete.any')).toBe(false);
  },
);

// docs/decisions.md, "Who may delete?"
test('an event with taken seats is deleted only as a draft, and the reason names the seats', () => {
  const event = anEvent({ status: 'completed', current_attendees: 3 });
  expect(allowedActions(event, everything)).toEqual(['duplicate']);
  expect(allowedActions({ ...event, status: 'draft' }, everything)).toContain('delete');
  expect(refusedActions(event, everything).delete?.detail).toContain('Seats taken: 3');
});

test('organizers may edit their own drafts, and with events.create delete them, but not other events', () => {
  const own = anEvent({ status: 'draft', organizer_id: 'olga' });
  expect(allowedActions(own, holding())).toEqual(['edit']);
  expect(allowedActions(own, holding('events.create'))).toEqual(['edit', 'duplicate', 'delete']);
  expect(allowedActions({ ...own, status: 'scheduled' }, holding('events.create'))).toEqual(['duplicate']);
  expect(allowedActions({ ...own, organizer_id: 'eva' }, holding('events.create'))).toEqual(['duplicate']);
  expect(allowedActions({ ...own, organizer_id: null }, { user_id: null, permissions: [] })).toEqual([]);
});

test('the reason of a refused action equals the answer to a request', () => {
  const caller = holding('events.view', 'events.create', 'events.publish', 'events.cancel', 'events.delete');
  const events = [anEvent({ status: 'draft' }), anEvent({ status: 'completed', current_attendees: 2 })];
  for (const event of events) {
    const allowed = allowedActions(event, caller);
    const refused = refusedActions(event, caller);
    for (const action of EVERY_ACTION) {
      const refusal = refusalOf(event, action, caller);
      expect(refused[action]?.detail, action).toBe(refusal?.detail);
      expect(refused[action]?.code, action).toBe(refusal?.code);
      expect(allowed.includes(action), action).toBe(refusal === null);
    }
  }
});

const THEN = at('2026-10-16T18:00:00Z');

test.each<[ClockAction, SchoolEvent['status'], Partial<SchoolEvent>]>([
  ['publish', 'scheduled', { publish_at: THEN }],
  ['start', 'published', { starts_at: THEN }],
  ['complete', 'in_progress', { ends_at: THEN }],
])('the clock may %s an event that is %s from its exact time on', (action, status, more) => {
  const due = (event: Partial<SchoolEvent>, now: Date) => isDue(anEvent({ status, ...more, ...event }), action, now);
  expect(due({}, at('2026-10-16T17:59:59.999Z'))).toBe(false);
  expect(due({}, THEN)).toBe(true);
  expect(due({ deleted_at: THEN }, THEN)).toBe(false);
  for (const other of EVENT_STATUSES.filter((one) => one !== status)) expect(due({ status: other }, THEN)).toBe(false);
});

test('the clock never publishes an event that is scheduled without a time', () => {
  expect(isDue(anEvent({ status: 'scheduled', publish_at: null }), 'publish', THEN)).toBe(false);
});
