import { expect, test } from 'vitest';
import type { Caller } from '../../src/people/caller.ts';
import type { Contact } from '../../src/people/contact.ts';
import { knownCallers } from '../../src/people/known-callers.ts';
import { aCaller, aContact, NOW } from '../support/builders.ts';

const DIRECTORY = [
  aContact('anna', { class_ids: ['5A'], guardians: ['mother', 'father'] }),
  aContact('jan', { class_ids: ['6B'], guardians: ['father', 'pupil'] }),
  aContact('left', { class_ids: ['9A'], left_at: NOW }),
  aContact('teacher', { roles: ['staff'], class_ids: ['5A'], department_ids: ['maths'] }),
];

/** What is known of people who ask at the same time. */
function known(...callers: Partial<Caller>[]): Promise<Caller[]> {
  const among = (isWanted: (one: Contact) => boolean) => async () => DIRECTORY.filter(isWanted);
  const contacts = {
    findMany: (_: unknown, ids: readonly string[]) => among(({ user_id }) => ids.includes(user_id))(),
    findChildren: (_: unknown, ids: readonly string[]) =>
      among(({ guardians }) => guardians.some((one) => ids.includes(one)))(),
  };
  const load = knownCallers({ contacts } as unknown as Parameters<typeof knownCallers>[0]);
  return Promise.all(callers.map((caller) => load(aCaller({ roles: ['parent'], ...caller }))));
}

test('each caller is a guardian of the children of whom the directory says so, whoever asks at the same time', async () => {
  const [mother, father, stranger] = await known({ user_id: 'mother' }, { user_id: 'father' }, { user_id: 'stranger' });
  expect([mother?.children, father?.children, stranger?.children]).toEqual([['anna'], ['anna', 'jan'], []]);
  expect(mother?.known_children).toMatchObject([{ user_id: 'anna', class_ids: ['5A'] }]);
});

test('a caller is also a guardian of the children whom the token names, each once, with the groups of the directory', async () => {
  const [mother] = await known({ user_id: 'mother', children: ['anna', 'jan', 'left', 'unknown'] });
  expect(mother?.children).toEqual(['anna', 'jan', 'left', 'unknown']);
  expect(mother?.known_children?.map(({ class_ids }) => class_ids)).toEqual([['5A'], ['6B'], [], []]);
});

test('only a pupil who is also a parent can be a guardian', async () => {
  const [pupil, both] = await known(
    { user_id: 'pupil', roles: ['student'] },
    { user_id: 'pupil', roles: ['student', 'parent'] },
  );
  expect([pupil?.children, both?.children]).toEqual([[], ['jan']]);
});

test('a caller without any group in the token has those of the directory, unless the person has left', async () => {
  const staff = { user_id: 'teacher', roles: ['staff'] as Caller['roles'] };
  const [without, named, other, left] = await known(
    staff,
    { ...staff, class_ids: ['1C'] },
    { ...staff, department_ids: ['arts'] },
    { user_id: 'left' },
  );
  expect(without).toMatchObject({ roles: ['staff'], class_ids: ['5A'], department_ids: ['maths'] });
  expect(named).toMatchObject({ class_ids: ['1C'], department_ids: [] });
  expect(other).toMatchObject({ class_ids: [], department_ids: ['arts'] });
  expect(left?.class_ids).toEqual([]);
});
