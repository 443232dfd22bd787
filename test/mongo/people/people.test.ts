import { beforeAll, expect, test } from 'vitest';
import { contactFaults } from '../../../src/http/people/people-schema.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { contactStore } from '../../../src/mongo/people/people-stores.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { importRoster } from '../../../src/people/roster/import-roster.ts';
import { suggestColumns } from '../../../src/people/roster/plain-roster.ts';
import { readTables } from '../../../src/storage/read-tables.ts';
import { aContact, aSchool, NOW, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';

const person = (user_id: string, name: string, more: Partial<Contact> = {}): Contact =>
  aContact(user_id, { name, ...more });

let database: Database;
let contacts: ReturnType<typeof contactStore>;
beforeAll(async () => {
  database = await emptyDatabase();
  contacts = contactStore(database);
  await contacts.putMany([
    person('a', 'Eva Nováková', { class_ids: ['5a'], grade_level_ids: ['g5'] }),
    person('b', 'Adam Novák', { class_ids: ['5a', '6b'], department_ids: ['music'] }),
    person('c', 'Nora Evans'),
    person('e', 'Nora Evans'),
    person('x', 'Eva Nováková', { school_id: 's2', class_ids: ['5a'] }),
  ]);
});

test('a search finds people by words of their name, page by page, in their own school only', async () => {
  const find = (words: string[], more: object = {}) =>
    contacts.search(SCOPE, { words, after: null, limit: 10, ...more });
  const idsOf = async (found: Promise<Contact[]>) => (await found).map(({ user_id }) => user_id);
  expect(await idsOf(find(['novak']))).toEqual(['b', 'a']);
  expect(await idsOf(find(['e', 'nov']))).toEqual(['a']);
  expect(await idsOf(find([]))).toEqual(['b', 'a', 'c', 'e']);
  expect(await idsOf(find([], { user_ids: ['c', 'x', 'a'] }))).toEqual(['a', 'c']);
  expect(await idsOf(find(['ev'], { after: { at: 'Nora Evans', id: 'c' } }))).toEqual(['e']);
  expect(await idsOf(find(['ev'], { limit: 2 }))).toEqual(['a', 'c']);
  // Search terms are not part of a person.
  expect((await find(['adam']))[0]).toEqual(
    person('b', 'Adam Novák', { class_ids: ['5a', '6b'], department_ids: ['music'] }),
  );
});

test('a search finds a new name and no longer the old one', async () => {
  await contacts.putMany([person('z', 'Zora Stará')]);
  await contacts.putMany([person('z', 'Zora Nová')]);
  const found = await Promise.all(
    ['stara', 'nova'].map((word) => contacts.search(SCOPE, { words: [word], after: null, limit: 9 })),
  );
  expect(found.map((some) => some.filter(({ user_id }) => user_id === 'z').length)).toEqual([0, 1]);
});

test('an import leaves people alone who were erased or replaced while it ran', async () => {
  const scope = { ...SCOPE, school_id: 's3' };
  const put = (user_id: string, name: string, updated_at = NOW) =>
    contacts.putMany([person(user_id, name, { ...scope, updated_at })]);
  await put('gone', 'Ivo Starý');
  await put('stays', 'Jan Malý');
  await put('replaced', 'Eva Stará');
  const erasing = {
    ...contacts,
    listAll: async () => {
      const all = await contacts.listAll(scope);
      await database.collection('contacts').deleteOne({ ...scope, user_id: 'gone' });
      await put('replaced', 'Eva Opravená', new Date(NOW.getTime() + 1));
      return all;
    },
  };
  const tables = await readTables(
    Buffer.from('id;name\ngone;Ivo Nový\nstays;Jan Nový\nreplaced;Eva Nová\nnew;Petr Nový'),
  );
  const deps = {
    clock: { now: () => NOW },
    contactFaults,
    contacts: erasing,
    schools: { find: async () => aSchool() },
  };
  const columns = suggestColumns(tables[0]?.heads ?? []);
  const input = { tables, columns, org: null, role: 'student', confirm_left: null, dry_run: false } as const;
  await importRoster(deps, scope, input);
  expect((await contacts.listAll(scope)).map(({ name }) => name).sort()).toEqual([
    'Eva Opravená',
    'Jan Nový',
    'Petr Nový',
  ]);
});

test('groups are counted for one school only', async () => {
  const sorted = ({ id: a }: { id: string }, { id: b }: { id: string }) => (a < b ? -1 : 1);
  const { class_ids, grade_level_ids, department_ids } = await contacts.countGroups(SCOPE);
  expect(class_ids.sort(sorted)).toEqual([
    { id: '5a', people: 2 },
    { id: '6b', people: 1 },
  ]);
  expect(grade_level_ids).toEqual([{ id: 'g5', people: 1 }]);
  expect(department_ids).toEqual([{ id: 'music', people: 1 }]);
});

test('a person who has not left is found by the address in one school or in all schools of the tenant', async () => {
  const there = { ...SCOPE, school_id: 'elsewhere' };
  await contacts.putMany([
    person('dana', 'Dana Zde', { email: 'Dana@Lipova.example' }),
    { ...person('dana-2', 'Dana Jinde', { email: 'dana@lipova.example' }), ...there },
    person('dana-3', 'Dana Pryč', { email: 'dana@lipova.example', left_at: new Date() }),
    { ...person('dana-4', 'Dana Cizí', { email: 'dana@lipova.example' }), tenant_id: 'other' },
  ]);
  const find = async (school_id: string | null) =>
    (await contacts.findPresent({ tenant_id: SCOPE.tenant_id, school_id, address: 'dana@lipova.example' }))
      .map(({ user_id }) => user_id)
      .sort();
  expect(await find(SCOPE.school_id)).toEqual(['dana']);
  expect(await find(null)).toEqual(['dana', 'dana-2']);
});

test('people who have left are in no audience, group and family, and keep their entry', async () => {
  const left_at = new Date('2026-08-31T00:00:00Z');
  await contacts.putMany([
    person('gone', 'Hugo Pryč', { left_at, class_ids: ['9z'], roles: ['student'], guardians: ['mum'] }),
    person('here', 'Hugo Zde', { class_ids: ['9z'], roles: ['student'], guardians: ['mum'] }),
  ]);
  const range = { after: null, until: null };
  const ids = (found: Contact[]) => found.map(({ user_id }) => user_id).filter((id) => ['gone', 'here'].includes(id));
  expect(ids(await contacts.findPage(SCOPE, range, 100, { roles: ['student'] }))).toEqual(['here']);
  expect(ids(await contacts.findChildren(SCOPE, ['mum']))).toEqual(['here']);
  expect((await contacts.countGroups(SCOPE)).class_ids).toContainEqual({ id: '9z', people: 1 });
  expect(ids(await contacts.search(SCOPE, { words: ['hugo'], left: true, after: null, limit: 9 }))).toEqual(['gone']);
  expect(ids(await contacts.search(SCOPE, { words: ['hugo'], left: false, after: null, limit: 9 }))).toEqual(['here']);
  expect(await contacts.find(SCOPE, 'gone')).toMatchObject({ left_at, class_ids: ['9z'] });
  expect(ids(await contacts.findMany(SCOPE, ['gone']))).toEqual(['gone']);
  const ties = await contacts.findTies(SCOPE, ['gone', 'here', 'no one']);
  expect(ties.sort((a, b) => (a.user_id < b.user_id ? -1 : 1))).toMatchObject([
    { user_id: 'gone', left_at, guardians: ['mum'] },
    { user_id: 'here', guardians: ['mum'] },
  ]);
  expect(ids(await contacts.listAll(SCOPE)).sort()).toEqual(['gone', 'here']);
  await contacts.putMany([person('gone', 'Hugo Pryč', { roles: ['student'] })]);
  expect(ids(await contacts.findPage(SCOPE, range, 100, { roles: ['student'] }))).toEqual(['gone', 'here']);
});
