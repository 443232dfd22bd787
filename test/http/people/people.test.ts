import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact } from '../../support/builders.ts';
import { E, PARENT, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const PEOPLE = '/api/v1/operations/people';
const GROUPS = `${E}/groups`;
/** May create events, and edit none but their own. */
const AUTHOR: Who = { user_id: 'karl', roles: ['staff'], permissions: ['events.view', 'events.create'] };

const known = (...people: (Partial<Contact> & { user_id: string })[]) =>
  tables.contacts.put(
    ...people.map((person) =>
      aContact(person.user_id, { email: `${person.user_id}@people.example`, phone: '+420601000001', ...person }),
    ),
  );

describe('finding people', () => {
  it('matches beginnings of words of the name without case and accents, sorted by name', async () => {
    await known(
      { user_id: 'a', name: 'Eva Nováková' },
      { user_id: 'b', name: 'Adam Novák' },
      { user_id: 'c', name: 'Nora Evans' },
      { user_id: 'd', name: 'Jan Dvořák' },
    );
    const found = async (query: string) => valuesOf(await ask(AUTHOR, 'GET', `${PEOPLE}${query}`), 'name');
    expect(await found('?q=NOVAK')).toEqual(['Adam Novák', 'Eva Nováková']);
    expect(await found('?q=ev%20nov')).toEqual(['Eva Nováková']);
    expect(await found('?q=vak')).toEqual([]);
    expect(await found('?user_id=d&user_id=a&user_id=nobody')).toEqual(['Eva Nováková', 'Jan Dvořák']);
    expect(await found('')).toHaveLength(4);
    const first = (await ask(AUTHOR, 'GET', `${PEOPLE}?q=e&limit=1`)).body;
    expect(first).toMatchObject({ has_more: true, data: [{ name: 'Eva Nováková' }] });
    expect(await found(`?q=e&limit=1&cursor=${first.next_cursor}`)).toEqual(['Nora Evans']);
    for (const query of [`?q=n&cursor=${first.next_cursor}`, '?q=!!', '?name=Eva'])
      expect((await ask(AUTHOR, 'GET', `${PEOPLE}${query}`)).status).toBe(422);
  });

  it('returns names, roles and groups but no addresses', async () => {
    await known({ user_id: 'a', name: 'Eva', class_ids: ['5a'], guardians: ['mum'] });
    const { text, body } = await ask(AUTHOR, 'GET', PEOPLE);
    expect(body.data).toEqual([
      { user_id: 'a', name: 'Eva', roles: ['student'], class_ids: ['5a'], grade_level_ids: [], department_ids: [] },
    ]);
    expect(text).not.toMatch(/people\.example|\+420|mum/);
  });

  it('needs the permission to create or edit events', async () => {
    expect((await ask(PARENT, 'GET', PEOPLE)).status).toBe(403);
    for (const permission of ['events.create', 'events.update'])
      expect((await ask({ ...AUTHOR, permissions: [permission] }, 'GET', PEOPLE)).status).toBe(200);
  });
});

describe('groups', () => {
  it('are those of visible events, and also of the directory for staff who choose an audience', async () => {
    await known(
      { user_id: 'a', name: 'A', class_ids: ['10a'], grade_level_ids: ['g10'] },
      { user_id: 'b', name: 'B', class_ids: ['9b', '10a'], department_ids: ['music'] },
    );
    await given({ class_id: '9b', tags: ['ski'], categories: ['trips'], grade_level_ids: ['g9'] });
    await given({ class_id: '9b', visibility: 'staff_only', tags: ['secret'], department_id: 'office' });
    const { body } = await ask(STAFF, 'GET', GROUPS);
    expect(body).toEqual({
      class_ids: [
        { id: '9b', events: 2, people: 1 },
        { id: '10a', events: 0, people: 2 },
      ],
      grade_level_ids: [
        { id: 'g9', events: 1, people: 0 },
        { id: 'g10', events: 0, people: 1 },
      ],
      department_ids: [
        { id: 'music', events: 0, people: 1 },
        { id: 'office', events: 1, people: 0 },
      ],
      tags: [
        { id: 'secret', events: 1, people: null },
        { id: 'ski', events: 1, people: null },
      ],
      categories: [{ id: 'trips', events: 1, people: null }],
    });
    expect((await ask(PARENT, 'GET', GROUPS)).body).toEqual({
      class_ids: [{ id: '9b', events: 1, people: null }],
      grade_level_ids: [{ id: 'g9', events: 1, people: null }],
      department_ids: [],
      tags: [{ id: 'ski', events: 1, people: null }],
      categories: [{ id: 'trips', events: 1, people: null }],
    });
  });
});
