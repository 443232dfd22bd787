import { describe, expect, it } from 'vitest';
import { contactFaults } from '../../../src/http/people/people-schema.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { planRoster } from '../../../src/people/roster/plan-roster.ts';
import type { RosterPerson } from '../../../src/people/roster/roster.ts';
import { aContact, NOW, SCOPE } from '../../support/builders.ts';

const known = (user_id: string, more: Partial<Contact> = {}) => aContact(user_id, { in_roster: true, ...more });
const given = (user_id: string, more: Partial<RosterPerson> = {}): RosterPerson => ({
  user_id,
  name: user_id,
  roles: ['student'],
  file: '',
  row: 2,
  ...more,
});
const plan = (contacts: Contact[], people: RosterPerson[], skipped: string[] = []) =>
  planRoster(
    SCOPE,
    contacts,
    { people, conflicts: [], skipped: new Set(skipped) },
    {
      now: NOW,
      faultsOf: contactFaults,
    },
  );
const ids = (all: Contact[]) => all.map(({ user_id }) => user_id);

describe('a plan', () => {
  it('adds, changes and leaves people, and keeps what the roster does not know', async () => {
    const before = [
      known('same', { name: 'same' }),
      known('moved', { name: 'moved', class_ids: ['5a'], locale: 'cs', email: 'm@x.example' }),
      known('gone', { name: 'gone' }),
    ];
    const result = await plan(before, [given('same'), given('moved', { class_ids: ['6a'] }), given('new')]);
    expect(ids(result.added)).toEqual(['new']);
    expect(result.changed).toMatchObject([
      { fields: ['class_ids'], contact: { user_id: 'moved', class_ids: ['6a'], locale: 'cs', email: 'm@x.example' } },
    ]);
    expect(result.unchanged).toBe(1);
    expect(result.left).toMatchObject([{ user_id: 'gone', left_at: NOW, name: 'gone' }]);
    expect(result.could_leave).toBe(3);
  });

  it('brings people back without the time at which they left', async () => {
    const { returned, changed } = await plan([known('jan', { left_at: NOW })], [given('jan')]);
    expect(ids(returned)).toEqual(['jan']);
    expect(returned[0]).not.toHaveProperty('left_at');
    expect(changed).toEqual([]);
  });

  it('leaves people alone whom no roster has brought, and those whom a skipped row names', async () => {
    const before = [aContact('by-hand', { roles: ['student'] }), known('faulty')];
    const result = await plan(before, [given('jan')], ['faulty']);
    expect(result.left).toEqual([]);
    expect(result.changed).toEqual([]);
  });

  it('leaves the guardians of a pupil in the school whose row is skipped', async () => {
    const before = [known('pupil', { guardians: ['mum'] }), known('mum', { roles: ['parent'] })];
    const { left } = await plan(before, [given('jan'), given('dad', { roles: ['parent'] })], ['pupil']);
    expect(left).toEqual([]);
  });

  it('decides only about the roles that occur in it', async () => {
    const before = [
      known('teacher', { roles: ['staff'] }),
      known('both', { roles: ['staff', 'parent'], name: 'both' }),
      known('mum', { roles: ['parent'] }),
    ];
    const result = await plan(before, [given('jan'), given('eva', { roles: ['parent'] })]);
    expect(ids(result.left)).toEqual(['mum']);
    expect(result.changed).toMatchObject([{ contact: { user_id: 'both', roles: ['staff'] }, fields: ['roles'] }]);
    const still = await plan(before, [given('both', { roles: ['parent'] })]);
    expect(still.unchanged).toBe(1);
  });

  it('takes classes and departments from a teacher who leaves but stays a parent', async () => {
    const groups = { class_ids: ['3a'], grade_level_ids: ['3'], department_ids: ['maths'] };
    const before = [known('eva', { ...groups, roles: ['staff', 'parent'] })];
    const { changed } = await plan(before, [given('ota', { roles: ['staff'] })]);
    expect(changed).toMatchObject([
      {
        contact: { user_id: 'eva', roles: ['parent'], class_ids: [], grade_level_ids: [], department_ids: [] },
        fields: ['roles', 'class_ids', 'grade_level_ids', 'department_ids'],
      },
    ]);
  });

  it('keeps the class of a teacher who is a parent no more', async () => {
    const before = [known('eva', { class_ids: ['3a'], roles: ['staff', 'parent'] })];
    const { changed } = await plan(before, [given('ota', { roles: ['parent'] })]);
    expect(changed).toMatchObject([{ contact: { roles: ['staff'], class_ids: ['3a'] }, fields: ['roles'] }]);
  });

  it.each([
    ['Eva Nová', 'Jan Malý', [{ field: 'user_id', rule: 'other_name', value: 'Eva Nová', skipped: false }]],
    ['Eva Nová', 'Malá Eva', []],
  ])('reports an id of %s that %s has now, unless the names share a word', async (name, now, conflicts) => {
    const { changed, conflicts: found } = await plan([known('17', { name })], [given('17', { name: now })]);
    expect(found).toMatchObject(conflicts);
    expect(changed).toMatchObject([{ contact: { name: now } }]);
  });

  it('marks a person of the directory whom the roster has as well, without a change', async () => {
    const { marked, unchanged, changed } = await plan([aContact('jan', { name: 'jan' })], [given('jan')]);
    expect(marked).toMatchObject([{ user_id: 'jan', in_roster: true }]);
    expect([unchanged, changed]).toEqual([1, []]);
    const before = [known('ida', { name: 'ida' }), aContact('ota', { name: 'ota' })];
    const again = await plan(before, [given('ida'), given('ota', { class_ids: ['5a'] })]);
    expect(again.marked).toEqual([]);
  });

  it('lets no one leave twice', async () => {
    const { left, could_leave } = await plan([known('gone', { left_at: NOW })], [given('jan')]);
    expect([left, could_leave]).toEqual([[], 0]);
  });

  it('sees no change in another order of classes', async () => {
    const before = [known('jan', { name: 'jan', class_ids: ['5a', '6b'] })];
    expect((await plan(before, [given('jan', { class_ids: ['6b', '5a'] })])).unchanged).toBe(1);
  });

  it('reports values that the directory refuses, and a shared e-mail address', async () => {
    const result = await plan(
      [],
      [
        given('a', { email: 'home@x.example' }),
        given('b', { email: 'HOME@x.example', row: 3 }),
        given('c', { name: 'x'.repeat(300), row: 4 }),
      ],
    );
    expect(ids(result.added)).toEqual(['a', 'b']);
    expect(result.conflicts).toMatchObject([
      { row: 3, field: 'email', rule: 'same_email', skipped: false },
      { row: 4, field: 'name', rule: 'invalid', value: 'must not have more than 200 characters', skipped: true },
    ]);
  });
});
