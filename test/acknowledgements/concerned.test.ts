import { describe, expect, test } from 'vitest';
import { concernedBy, readConcerned } from '../../src/acknowledgements/concerned.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { aContact, anEvent } from '../support/builders.ts';

const EVA = aContact('eva', { class_ids: ['5A'] });
const JAN = aContact('jan', { class_ids: ['7B'] });
const MOTHER = aContact('mother', { roles: ['parent'] });
const TEACHER = aContact('teacher', { roles: ['staff', 'parent'] });

describe('a reader confirms for', () => {
  test.each<[string, Partial<SchoolEvent>, ReturnType<typeof aContact>, string[]]>([
    ['every child of an event for all', {}, MOTHER, ['eva', 'jan']],
    ['the child of the class', { class_id: '5A' }, MOTHER, ['eva']],
    ['the child of a message to parents', { target_audience: ['parents'], class_id: '5A' }, MOTHER, ['eva']],
    ['the child of a message to students', { target_audience: ['students'], class_id: '5A' }, MOTHER, ['eva']],
    ['no one of a message to staff', { target_audience: ['staff'] }, MOTHER, []],
    ['no one of another class', { class_id: '9C' }, MOTHER, []],
    ['the child who may see it', { visibility: 'restricted', restricted_to: { user_ids: ['eva'] } }, MOTHER, ['eva']],
    ['themselves as staff', { target_audience: ['staff'] }, TEACHER, ['teacher']],
    ['themselves and their children', {}, TEACHER, ['teacher', 'eva', 'jan']],
    ['their children as parents', { target_audience: ['parents'] }, TEACHER, ['eva', 'jan']],
  ])('%s', (_, event, reader, expected) => {
    expect(concernedBy(reader, [EVA, JAN], anEvent(event)).map(({ user_id }) => user_id)).toEqual(expected);
  });

  test('the student, and a parent without children in the directory for the parent', () => {
    expect(concernedBy(EVA, [], anEvent())).toEqual([EVA]);
    expect(concernedBy(EVA, [], anEvent({ target_audience: ['staff'] }))).toEqual([]);
    expect(concernedBy(MOTHER, [], anEvent({ target_audience: ['parents'] }))).toEqual([MOTHER]);
  });
});

test('a guardian who has left the school is no reader', async () => {
  const child = { ...EVA, guardians: ['mother', 'father'] };
  const people = [MOTHER, aContact('father', { roles: ['parent'], left_at: new Date() })];
  const contacts = { findPage: async () => [child], findChildren: async () => [], findMany: async () => people };
  const deps = { contacts } as unknown as Parameters<typeof readConcerned>[0];
  const { value } = await readConcerned(deps, anEvent()).next();
  expect(value?.readers).toEqual([MOTHER, child]);
});
