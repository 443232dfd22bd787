import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { isInAudience, loadChildren, rolesOfAudience } from '../../src/people/audience.ts';
import type { Role } from '../../src/people/caller.ts';
import type { Contact } from '../../src/people/contact.ts';
import { aContact, anEvent } from '../support/builders.ts';

const ROLES: Role[] = ['admin', 'staff', 'student', 'parent', 'external'];

describe('the target audience', () => {
  test.each<[SchoolEvent['target_audience'], Role[]]>([
    [['all'], ROLES],
    [[], ROLES],
    [['students'], ['student']],
    [['parents'], ['parent']],
    [['staff'], ['admin', 'staff']],
    [['external'], ['external']],
    [
      ['students', 'parents'],
      ['student', 'parent'],
    ],
    [['students', 'all'], ROLES],
  ])('%j reaches %j', (target_audience, roles) => {
    const event = anEvent({ target_audience });
    const reached = ROLES.filter((role) => isInAudience(aContact('eva', { roles: [role] }), [], event));
    expect(reached).toEqual(roles);
    const read = rolesOfAudience(event);
    for (const role of roles) expect(read === null || read.includes(role)).toBe(true);
  });

  test.each<[Partial<SchoolEvent>, Partial<Contact>, boolean]>([
    [{ class_id: '5A' }, { class_ids: ['5A'] }, true],
    [{ class_id: '5A' }, { class_ids: ['5B', '5A'] }, true],
    [{ class_id: '5A' }, { class_ids: ['5B'] }, false],
    [{ class_id: '5A' }, {}, false],
    [{ grade_level_ids: ['5', '6'] }, { grade_level_ids: ['6'] }, true],
    [{ grade_level_ids: ['5', '6'] }, { grade_level_ids: ['7'] }, false],
    [{ class_id: '5A', grade_level_ids: ['5'] }, { class_ids: ['5A'], grade_level_ids: ['5'] }, true],
    [{ class_id: '5A', grade_level_ids: ['5'] }, { class_ids: ['5A'], grade_level_ids: ['6'] }, false],
    [{ class_id: '5A', grade_level_ids: ['5'] }, { class_ids: ['5B'], grade_level_ids: ['5'] }, false],
  ])('an event for %j notifies %j: %s', (event, contact, expected) => {
    expect(isInAudience(aContact('eva', contact), [], anEvent(event))).toBe(expected);
  });

  test('a parent matches through one child, not through a combination of two', () => {
    const parent = aContact('mother', { roles: ['parent'] });
    const event = anEvent({ target_audience: ['parents'], class_id: '5A', grade_level_ids: ['5'] });
    const whole = aContact('eva', { class_ids: ['5A'], grade_level_ids: ['5'] });
    const halves = [aContact('jan', { class_ids: ['5A'] }), aContact('ida', { grade_level_ids: ['5'] })];
    expect(isInAudience(parent, [whole], event)).toBe(true);
    expect(isInAudience(parent, halves, event)).toBe(false);
    expect(isInAudience(parent, [], event)).toBe(false);
  });

  test('a person with several roles is reached by each of them', () => {
    const teacher = aContact('karl', { roles: ['staff', 'parent'] });
    const isReachedBy = (audience: SchoolEvent['target_audience'][number]) =>
      isInAudience(teacher, [], anEvent({ target_audience: [audience] }));
    expect((['staff', 'parents', 'students'] as const).map(isReachedBy)).toEqual([true, true, false]);
  });

  test('a child does not make its parent one of the students', () => {
    const parent = aContact('mother', { roles: ['parent'] });
    expect(isInAudience(parent, [aContact('eva')], anEvent({ target_audience: ['students'] }))).toBe(false);
  });

  test.each<[Partial<SchoolEvent>, Partial<Contact>, boolean]>([
    [{ visibility: 'staff_only' }, { roles: ['student'] }, false],
    [{ visibility: 'staff_only' }, { roles: ['staff'] }, true],
    [{ visibility: 'parents_only' }, { roles: ['student'] }, false],
    [{ visibility: 'internal' }, { roles: ['external'] }, false],
    [{ visibility: 'public' }, { roles: ['external'] }, true],
    [{ visibility: 'restricted', restricted_to: { class_ids: ['5A'] } }, { class_ids: ['5B'] }, false],
    [{ visibility: 'restricted', restricted_to: { class_ids: ['5A'] } }, { class_ids: ['5A'] }, true],
    [{ visibility: 'public' }, { tenant_id: 't2' }, false],
    [{ visibility: 'public' }, { school_id: 's2' }, false],
  ])('an event with %j notifies a contact with %j only with access: %s', (event, contact, expected) => {
    expect(isInAudience(aContact('eva', contact), [], anEvent(event))).toBe(expected);
  });
});

test('everyone but a pupil has the children who name them as guardian, whoever else is read at the same time', async () => {
  const anna = aContact('anna', { guardians: ['mother', 'teacher', 'pupil'] });
  const isOf = (ids: readonly string[]) => anna.guardians.some((one) => ids.includes(one));
  const contacts = { findChildren: async (_: unknown, ids: readonly string[]) => (isOf(ids) ? [anna] : []) };
  const guardiansAmong = async (...people: [string, Role[]][]) => {
    const read = people.map(([user_id, roles]) => aContact(user_id, { roles }));
    return [...(await loadChildren({ contacts }, anna, read)).keys()];
  };
  expect(await guardiansAmong(['teacher', ['staff']])).toEqual(['teacher']);
  expect(await guardiansAmong(['pupil', ['student']])).toEqual([]);
  expect(await guardiansAmong(['pupil', ['student']], ['mother', ['parent']])).toEqual(['mother']);
});
