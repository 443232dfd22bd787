import { expect, test } from 'vitest';
import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../../src/events/event.ts';
import type { Role } from '../../src/people/caller.ts';
import { maySee, VISIBILITIES, type Viewer, type Visibility } from '../../src/people/visibility.ts';
import { aCaller, aContact, anEvent } from '../support/builders.ts';

/** docs/decisions.md, "External visitors" and "Who sees scheduled events?". */
const SHOWN_OUTSIDE: EventStatus[] = ['published', 'in_progress', 'completed', 'cancelled', 'postponed'];
const SHOWN_INSIDE: EventStatus[] = ['scheduled', ...SHOWN_OUTSIDE];

const ROLES: (Role | 'nobody')[] = ['admin', 'staff', 'student', 'parent', 'external', 'nobody'];

/** docs/decisions.md, "Roles". */
const SEEN_BY: Record<Visibility, (Role | 'nobody')[]> = {
  public: ['admin', 'staff', 'student', 'parent', 'external', 'nobody'],
  internal: ['admin', 'staff', 'student', 'parent'],
  staff_only: ['admin', 'staff'],
  students_only: ['student'],
  parents_only: ['parent'],
  restricted: [],
};

const rolesOf = (role: Role | 'nobody'): Role[] => (role === 'nobody' ? [] : [role]);
const visibilities = Object.keys(SEEN_BY) as Visibility[];

test('there are six levels, each with its icon', () => {
  expect(Object.entries(VISIBILITIES).map(([level, { icon }]) => [level, icon])).toEqual([
    ['public', 'Globe'],
    ['internal', 'Users'],
    ['staff_only', 'UserCheck'],
    ['students_only', 'GraduationCap'],
    ['parents_only', 'UserCircle'],
    ['restricted', 'Lock'],
  ]);
});

test.each(visibilities.flatMap((visibility) => ROLES.map((role) => [visibility, role] as const)))(
  '%s and %s, state by state',
  (visibility, role) => {
    const viewer = aCaller({ roles: rolesOf(role) });
    const seen = EVENT_STATUSES.filter((status) => maySee(viewer, anEvent({ visibility, status })));
    const member = role !== 'external' && role !== 'nobody';
    const expected = SEEN_BY[visibility].includes(role) ? (member ? SHOWN_INSIDE : SHOWN_OUTSIDE) : [];
    expect(seen).toEqual(expected);
  },
);

test('someone with two roles sees what either sees', () => {
  const both = aCaller({ roles: ['external', 'parent'] });
  expect(maySee(both, anEvent({ visibility: 'parents_only' }))).toBe(true);
  expect(maySee(both, anEvent({ visibility: 'internal', status: 'scheduled' }))).toBe(true);
});

test.each(visibilities.flatMap((visibility) => EVENT_STATUSES.map((status) => [visibility, status] as const)))(
  'a %s event that is %s is seen by those who may act on all events, and by its organizer',
  (visibility, status) => {
    const event = anEvent({ visibility, status, organizer_id: 'olga' });
    for (const permission of ['events.update', 'events.publish', 'events.cancel', 'events.delete'])
      expect(maySee(aCaller({ permissions: [permission] }), event)).toBe(true);
    expect(maySee(aCaller({ user_id: 'olga' }), event)).toBe(true);
    expect(
      maySee(aCaller({ permissions: ['events.view', 'events.create', 'events.registrations.manage'] }), event),
    ).toBe(visibility === 'public' && SHOWN_OUTSIDE.includes(status));
  },
);

test('an inactive event is seen by staff, those who may act on it and its organizer only', () => {
  const event = anEvent({ is_active: false, visibility: 'public', organizer_id: 'olga' });
  const seeing = ROLES.filter((role) => maySee(aCaller({ roles: rolesOf(role) }), event));
  expect(seeing).toEqual(ROLES.filter((role) => role === 'staff' || role === 'admin'));
  expect(maySee(aCaller({ user_id: 'olga', roles: ['parent'] }), event)).toBe(true);
  expect(maySee(aCaller({ roles: ['parent'], permissions: ['events.cancel'] }), event)).toBe(true);
});

test('a visitor without an id is not the organizer of an event without one', () => {
  const visitor: Viewer = { ...aCaller(), user_id: null };
  expect(maySee(visitor, anEvent({ organizer_id: null, visibility: 'internal' }))).toBe(false);
});

const EVE = aCaller({
  user_id: 'eve',
  roles: ['student'],
  class_ids: ['5A', 'choir'],
  grade_level_ids: ['5'],
  department_ids: ['arts'],
});

test.each<[SchoolEvent['restricted_to'], boolean]>([
  [null, false],
  [{}, false],
  [{ user_ids: [], roles: [], class_ids: [], grade_level_ids: [], department_ids: [] }, false],
  [{ user_ids: ['eve'] }, true],
  [{ user_ids: ['adam', 'eve'] }, true],
  [{ user_ids: ['adam'] }, false],
  [{ roles: ['student'] }, true],
  [{ roles: ['staff', 'student'] }, true],
  [{ roles: ['staff'] }, false],
  [{ class_ids: ['5A'] }, true],
  [{ class_ids: ['5B', 'choir'] }, true],
  [{ class_ids: ['5B'] }, false],
  [{ grade_level_ids: ['5'] }, true],
  [{ grade_level_ids: ['6'] }, false],
  [{ department_ids: ['arts'] }, true],
  [{ department_ids: ['sport'] }, false],
  [{ roles: ['student'], class_ids: ['5A'] }, true],
  [{ roles: ['student'], class_ids: ['5B'] }, false],
  [{ roles: ['staff'], class_ids: ['5A'] }, false],
  [{ roles: ['student'], class_ids: ['5A'], grade_level_ids: ['5'], department_ids: ['arts'] }, true],
  [{ roles: ['student'], class_ids: ['5A'], grade_level_ids: ['5'], department_ids: ['sport'] }, false],
  [{ roles: ['student'], class_ids: [] }, true],
  [{ user_ids: ['adam'], class_ids: ['5A'] }, true],
  [{ user_ids: ['eve'], class_ids: ['5B'] }, true],
  [{ user_ids: ['adam'], class_ids: ['5B'] }, false],
])('restricted to %j is seen by Eve: %s', (restricted_to, expected) => {
  expect(maySee(EVE, anEvent({ visibility: 'restricted', restricted_to }))).toBe(expected);
});

test('ignores the restriction of an event that is not restricted', () => {
  const event = anEvent({ visibility: 'staff_only', restricted_to: { user_ids: ['eve'] } });
  expect(maySee(EVE, event)).toBe(false);
});

const CHILD = aContact('eve', { class_ids: ['5A'], grade_level_ids: ['5'], department_ids: ['arts'] });

test.each<[SchoolEvent['restricted_to'], boolean]>([
  [{ user_ids: ['eve'] }, true],
  [{ user_ids: ['adam'] }, false],
  [{ class_ids: ['5A'] }, true],
  [{ class_ids: ['5B'] }, false],
  [{ roles: ['student'], class_ids: ['5A'], grade_level_ids: ['5'] }, true],
  [{ roles: ['student'], class_ids: ['5A'], grade_level_ids: ['6'] }, false],
  [{}, false],
])('restricted to %j is seen by a parent through the child: %s', (restricted_to, expected) => {
  const parent = { ...aCaller({ roles: ['parent'] }), children: [aContact('jan', { class_ids: ['1C'] }), CHILD] };
  expect(maySee(parent, anEvent({ visibility: 'restricted', restricted_to }))).toBe(expected);
});

test('two children do not add up to one who matches', () => {
  const children = [aContact('jan', { class_ids: ['5A'] }), aContact('eva', { grade_level_ids: ['6'] })];
  const event = anEvent({
    visibility: 'restricted',
    restricted_to: { class_ids: ['5A'], grade_level_ids: ['6'] },
  });
  expect(maySee({ ...aCaller({ roles: ['parent'] }), children }, event)).toBe(false);
});

test('a parent known by the ids of the children alone matches those named', () => {
  const parent = aCaller({ roles: ['parent'], children: ['eve'] });
  const restricted = (restricted_to: SchoolEvent['restricted_to']) =>
    anEvent({ visibility: 'restricted', restricted_to });
  expect(maySee(parent, restricted({ user_ids: ['eve'] }))).toBe(true);
  expect(maySee(parent, restricted({ user_ids: ['adam'] }))).toBe(false);
});

test.each(['internal', 'staff_only', 'students_only'] as const)('children open nothing else: %s', (visibility) => {
  const parent = { ...aCaller({ roles: ['external'] }), children: [CHILD] };
  expect(maySee(parent, anEvent({ visibility }))).toBe(false);
});

// docs/decisions.md, "Restricted".
test('restricted to parents of a class is seen by the parents of that class', () => {
  const parent = { ...aCaller({ roles: ['parent'] }), children: [CHILD] };
  const event = anEvent({ visibility: 'restricted', restricted_to: { roles: ['parent'], class_ids: ['5A'] } });
  expect(maySee(parent, event)).toBe(true);
});

test.each(visibilities)('a %s event of another tenant or school is seen by no one', (visibility) => {
  const event = anEvent({ visibility, organizer_id: 'eve', restricted_to: { user_ids: ['eve'] } });
  const roles: Role[] = ['admin', 'staff', 'student', 'parent'];
  const all = { user_id: 'eve', roles, permissions: ['events.update'], children: ['eve'] };
  expect(maySee(aCaller(all), event)).toBe(true);
  expect(maySee(aCaller({ ...all, tenant_id: 't2' }), event)).toBe(false);
  expect(maySee(aCaller({ ...all, school_id: 's2' }), event)).toBe(false);
  expect(maySee(aCaller({ ...all, tenant_id: 's1', school_id: 't1' }), event)).toBe(false);
});
