import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/people/caller.ts';
import { type Columns, readPlainRoster, suggestColumns } from '../../../src/people/roster/plain-roster.ts';
import type { Table } from '../../../src/people/roster/roster.ts';
import { directoryOf, readRole } from '../../../src/people/roster/values.ts';
import { aContact } from '../../support/builders.ts';

const HEADS = ['ID', 'Name', 'Class', 'E-mail', 'Phone', 'Role', 'Guardian', 'Guardian e-mail', 'Guardian phone'];
const tableOf = (...rows: string[]): Table => ({
  file: '',
  heads: HEADS,
  rows: rows.map((row, at) => ({ row: at + 2, cells: row.split('|') })),
});
const read = (rows: string[], known = directoryOf([]), columns: Columns = suggestColumns(HEADS)) =>
  readPlainRoster(tableOf(...rows), { columns, role: 'student', country: '420' }, known);

describe('suggested columns', () => {
  it.each<[string, string[], Columns]>([
    [
      'English',
      ['Student ID', 'First name', 'Last name', 'Grade', 'Email', 'Guardian name', 'Guardian email', 'Guardian 2 name'],
      {
        user_id: 'Student ID',
        given_name: 'First name',
        family_name: 'Last name',
        grade_level_ids: 'Grade',
        email: 'Email',
        guardian_1_name: 'Guardian name',
        guardian_1_email: 'Guardian email',
        guardian_2_name: 'Guardian 2 name',
      },
    ],
    [
      'Czech',
      [
        'Kód žáka',
        'Jméno',
        'Příjmení',
        'Třída',
        'E-mail',
        'Mobil',
        'Zástupce 1',
        'E-mail zástupce 1',
        'Zástupce 2',
        'Mobil zástupce 2',
      ],
      {
        user_id: 'Kód žáka',
        given_name: 'Jméno',
        family_name: 'Příjmení',
        class_ids: 'Třída',
        email: 'E-mail',
        phone: 'Mobil',
        guardian_1_name: 'Zástupce 1',
        guardian_1_email: 'E-mail zástupce 1',
        guardian_2_name: 'Zástupce 2',
        guardian_2_phone: 'Mobil zástupce 2',
      },
    ],
    [
      'Czech in the genitive',
      ['Jméno', 'E-mail rodiče', 'Telefon zákonných zástupců'],
      { name: 'Jméno', guardian_1_email: 'E-mail rodiče', guardian_1_phone: 'Telefon zákonných zástupců' },
    ],
    [
      'Czech with mother and father',
      ['Jméno', 'Matka', 'Telefon matky', 'Otec', 'E-mail rodiče 2'],
      {
        name: 'Jméno',
        guardian_1_name: 'Matka',
        guardian_1_phone: 'Telefon matky',
        guardian_2_name: 'Otec',
        guardian_2_email: 'E-mail rodiče 2',
      },
    ],
    ['Czech with a birth number', ['Rodné číslo', 'Číslo', 'Jméno'], { user_id: 'Číslo', name: 'Jméno' }],
  ])('fit %s heads', (_language, heads, columns) => {
    expect(suggestColumns(heads)).toEqual(columns);
  });
});

describe('the role of a row', () => {
  it.each(['en', 'cs'] as const)('may be written as the client writes roles in “%s”', (language) => {
    const words = JSON.parse(readFileSync(`src/web/texts/${language}/others.json`, 'utf8'));
    const names = ROLES.flatMap((role) => [`role.${role}`, `roleOne.${role}`].map((key) => [words[key], role]));
    expect(names.map(([name]) => [name, readRole(name)])).toEqual(names);
  });

  it.each([
    ['zástupce ředitele pro 1. stupeň', 'admin'],
    ['zástupkyně ředitelky', 'admin'],
    ['zákonný zástupce', 'parent'],
    ['asistentka ředitele', 'staff'],
    ['třídní učitelka', 'staff'],
  ])('is for “%s” that of the person, “%s”', (cell, role) => {
    expect(readRole(cell)).toBe(role);
  });

  it.each(['en', 'cs'])('may be each word that the message about an unknown role names in “%s”', (language) => {
    const message: string = JSON.parse(readFileSync(`src/web/texts/${language}/others.json`, 'utf8'))['conflict.role'];
    const words = /(?:Write|Napište) (.*)\./.exec(message)?.[1]?.split(/, | or | nebo /) ?? [];
    expect(words).toHaveLength(6);
    expect(words.map(readRole)).not.toContain(null);
  });
});

describe('a plain roster', () => {
  it('has pupils with classes and guardians, and a guardian of two pupils once', async () => {
    const { people, conflicts } = await read([
      '1|Jan Nový|5.A|||žák|Eva Nová|Eva@home.example|777 123 456',
      '2|Ida Nová|3. B; Choir|||pupil|Eva Nová|eva@home.example|',
    ]);
    expect(conflicts).toEqual([]);
    const guardians = ['eva@home.example'];
    expect(people).toMatchObject([
      { user_id: '1', name: 'Jan Nový', roles: ['student'], class_ids: ['5.A'], guardians, email: null, row: 2 },
      { user_id: '2', class_ids: ['3. B', 'Choir'], guardians },
      {
        user_id: 'eva@home.example',
        name: 'Eva Nová',
        roles: ['parent'],
        email: 'Eva@home.example',
        phone: '+420777123456',
      },
    ]);
    expect(people).toHaveLength(3);
    expect(people[2]).not.toHaveProperty('class_ids');
  });

  it('uses the ids of the directory for known classes and for people with the same address and name', async () => {
    const known = directoryOf([
      aContact('t-1', { name: 'Nová Eva', roles: ['staff'], email: 'EVA@home.example', class_ids: ['class-5a'] }),
    ]);
    const { people, conflicts } = await read(['1|Jan Nový|5. A||||Eva Nová|eva@home.example|'], known);
    expect(conflicts).toEqual([]);
    expect(people).toMatchObject([
      { user_id: '1', class_ids: ['class-5a'], guardians: ['t-1'] },
      { user_id: 't-1', roles: ['parent'] },
    ]);
  });

  it('knows a guardian with a new address by the pupil whom the directory has', async () => {
    const eva = aContact('eva@x.example', { name: 'Eva Nová', email: 'eva@x.example', roles: ['parent'] });
    const known = directoryOf([eva, aContact('17', { guardians: [eva.user_id] })]);
    const { people } = await read(
      ['18|Ota Nový|1.A||||Eva Nová|new@x.example|', '17|Jan Nový|3.A||||Nová Eva|new@x.example|'],
      known,
    );
    expect(people.map(({ user_id, email, guardians }) => [user_id, email, guardians])).toEqual([
      ['18', null, ['eva@x.example']],
      ['17', null, ['eva@x.example']],
      ['eva@x.example', 'new@x.example', undefined],
    ]);
  });

  it('takes no guardian for another one of the pupil who has the same name', async () => {
    const named = { name: 'Jan Nový', roles: ['parent' as const] };
    const guardians = ['a@x.example', 'b@x.example'];
    const known = directoryOf([
      ...guardians.map((email) => aContact(email, { ...named, email })),
      aContact('17', { guardians }),
    ]);
    const { people } = await read(['17|Ota Nový|3.A||||Jan Nový|c@x.example|'], known);
    expect(people[0]).toMatchObject({ guardians: ['c@x.example'] });
  });

  it('leaves the addresses of a guardian of two pupils as they are without a valid value', async () => {
    const known = directoryOf([
      aContact('g-1', { name: 'Eva Nová', email: 'eva@home.example', phone: '+420777123456', roles: ['parent'] }),
    ]);
    const { guardian_1_email: _, ...columns } = suggestColumns(HEADS);
    const rows = ['1|Jan Nový|5.A||||Eva Nová||777 123 456', '2|Ida Nová|3.B||||Eva Nová||777 123 456'];
    const { people } = await read(rows, known, columns);
    expect(people[2]).toMatchObject({ user_id: 'g-1', phone: '+420777123456' });
    expect(people[2]).not.toHaveProperty('email');
  });

  it('keeps two people of one address apart by their names', async () => {
    const { people } = await read(['|Jan Nový|5.A|home@x.example|||Eva Nová|home@x.example|']);
    expect(people.map(({ user_id }) => user_id)).toEqual(['home@x.example', 'home@x.example eva nova']);
  });

  it('keeps father and son of one name and address apart, in every import', async () => {
    const rows = [
      '1|Jan Nový|5.A|home@x.example||žák|Jan Nový|home@x.example|',
      '2|Ida Nová|3.B|||žákyně|Jan Nový|home@x.example|',
      '|Ivo Starý|5.A|old@x.example||žák|Ivo Starý|old@x.example|',
    ];
    const first = await read(rows);
    const known = directoryOf(first.people.map((person) => aContact(person.user_id, person)));
    const reversed = directoryOf([...known.people.values()].reverse());
    for (const { people, conflicts } of [first, await read(rows, known), await read(rows, reversed)]) {
      expect(conflicts).toEqual([]);
      expect(people).toMatchObject([
        { user_id: '1', roles: ['student'], guardians: ['home@x.example'] },
        { user_id: '2', roles: ['student'], guardians: ['home@x.example'] },
        { user_id: 'old@x.example', roles: ['student'], guardians: ['old@x.example ivo stary'] },
        { user_id: 'home@x.example', roles: ['parent'] },
        { user_id: 'old@x.example ivo stary', roles: ['parent'] },
      ]);
    }
  });

  it('finds a guardian among the staff of the file, who have ids', async () => {
    const { people } = await read([
      't-1|Eva Nová||eva@home.example||učitelka|||',
      '1|Jan Nový|5.A||||Eva Nová|eva@home.example|',
    ]);
    expect(people).toMatchObject([
      { user_id: 't-1', roles: ['staff', 'parent'] },
      { user_id: '1', guardians: ['t-1'] },
    ]);
    expect(people).toHaveLength(2);
  });

  it.each<[string, string, object]>([
    ['without a name', '1||5.A|||||', { field: 'name', rule: 'required', skipped: true }],
    ['with an unknown role', '1|Jan|5.A|||wizard||| ', { field: 'role', rule: 'role', value: 'wizard', skipped: true }],
    ['without id and address', '|Jan|5.A|||||', { field: 'user_id', rule: 'no_id', skipped: true }],
    [
      'with a faulty e-mail address',
      '1|Jan|5.A|jan@|||||',
      { field: 'email', rule: 'email', value: 'jan@', skipped: false },
    ],
    [
      'with a faulty phone number',
      '1|Jan|5.A||12 34||||',
      { field: 'phone', rule: 'phone', value: '12 34', skipped: false },
    ],
    ['with a guardian without a name', '1|Jan|5.A||||| a@x.example|', { field: 'guardian_1_name', rule: 'required' }],
    [
      'with a guardian without address',
      '1|Jan|5.A||||Eva||',
      { field: 'guardian_1_email', rule: 'no_id', value: 'Eva' },
    ],
  ])('reports the row %s', async (_what, row, conflict) => {
    const { people, conflicts, skipped } = await read([row]);
    expect(conflicts).toMatchObject([{ row: 2, ...conflict }]);
    expect(people).toHaveLength(conflicts[0]?.skipped ? 0 : 1);
    expect([...skipped]).toEqual(conflicts[0]?.skipped && row.startsWith('1') ? ['1'] : []);
    // A faulty address must not remove the one that the directory has.
    if (conflicts[0]?.rule === 'email') expect(people[0]).not.toHaveProperty('email');
  });

  it('reports the row with the id of the pupil as that of the guardian', async () => {
    const columns: Columns = { ...suggestColumns(HEADS), guardian_1_id: 'ID' };
    const { people, conflicts } = await read(['1|Jan|5.A|j@x.example|||Jan|j@x.example|'], directoryOf([]), columns);
    expect(conflicts).toMatchObject([{ row: 2, field: 'guardian_1_name', rule: 'own_guardian', value: 'Jan' }]);
    expect(people).toHaveLength(1);
  });

  it('names all people of this name if the only address of a row without an id is faulty', async () => {
    const known = directoryOf(['Jan Malý', 'Malý Jan', 'Eva Malá'].map((name, n) => aContact(`p${n}`, { name })));
    const { people, skipped } = await read(['|Jan Malý|5.A|jan@|']);
    expect([people, [...(await read(['|Jan Malý|5.A|jan@|'], known)).skipped]]).toEqual([[], ['p0', 'p1']]);
    expect([...skipped]).toEqual([]);
  });

  it('says of each fault of a row without a usable address that the row is not imported', async () => {
    const { conflicts } = await read(['1|Eva|5.A|eva@|', '|Jan|5.A|jan@|12', '|Ida|5.A||']);
    expect(conflicts.map(({ row, rule, skipped }) => [row, rule, skipped])).toEqual([
      [2, 'email', false],
      [3, 'email', true],
      [3, 'phone', true],
      [3, 'no_id', true],
      [4, 'no_id', true],
    ]);
  });

  it('gives the spellings of a new class one id', async () => {
    const known = directoryOf([aContact('eva', { class_ids: ['5.B'] })]);
    const { people, conflicts } = await read(['1|Jan|5.A', '2|Petr|5. A', '3|Ida|5.b'], known);
    expect(people.map(({ class_ids }) => class_ids)).toEqual([['5.A'], ['5.A'], ['5.B']]);
    expect(conflicts).toMatchObject([{ row: 2, rule: 'unknown_class', value: '5.A' }]);
  });

  it('names the person of a refused row without an id, who has not left', async () => {
    const eva = aContact('eva', { name: 'Eva Nová', email: 'eva@home.example' });
    const { people, skipped } = await read(['|Nová Eva|5.A|eva@home.example||wizard|||'], directoryOf([eva]));
    expect([people, [...skipped]]).toEqual([[], ['eva']]);
  });

  it('keeps the guardians of the directory if a guardian of the row can’t be read', async () => {
    const known = directoryOf([aContact('1', { guardians: ['mum@home.example'] })]);
    const { people, skipped } = await read(['1|Jan|5.A||||Eva|mum@home|'], known);
    expect(people).toMatchObject([{ user_id: '1', guardians: ['mum@home.example'] }]);
    expect([...skipped]).toEqual(['mum@home.example']);
    const without = await read(['1|Jan|5.A|||||'], known);
    expect(without.people).toMatchObject([{ user_id: '1', guardians: [] }]);
  });

  it('skips a second row of the same id', async () => {
    const { people, conflicts } = await read(['1|Jan|5.A||||||', '1|Ota|5.A||||||']);
    expect(people).toMatchObject([{ name: 'Jan' }]);
    expect(conflicts).toMatchObject([{ row: 3, field: 'user_id', rule: 'duplicate', value: '1', skipped: true }]);
  });

  it('reports a class that the school does not have once, and imports it', async () => {
    const known = directoryOf([aContact('x', { class_ids: ['5.A'] })]);
    const { people, conflicts } = await read(['1|Jan|5.AA||||||', '2|Ota|5.AA||||||'], known);
    expect(conflicts).toMatchObject([{ row: 2, rule: 'unknown_class', value: '5.AA', skipped: false }]);
    expect(people).toMatchObject([{ class_ids: ['5.AA'] }, { class_ids: ['5.AA'] }]);
  });
});
