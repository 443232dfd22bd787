import { expect, it } from 'vitest';
import { contactFaults } from '../../../src/http/people/people-schema.ts';
import { importRoster } from '../../../src/people/roster/import-roster.ts';
import { suggestColumns } from '../../../src/people/roster/plain-roster.ts';
import { readTables } from '../../../src/storage/read-tables.ts';
import { aSchool, NOW, SCOPE } from '../../support/builders.ts';
import { countTurns } from '../../support/turns.ts';

const planOf = async (text: string, school = aSchool()) => {
  const tables = await readTables(Buffer.from(text));
  const stores = {
    contacts: { listAll: async () => [], putMany: async () => ({ inserted: 0, replaced: 0 }) },
    schools: { find: async () => school },
  };
  const columns = suggestColumns(tables[0]?.heads ?? []);
  const input = { tables, columns, org: null, role: 'student', confirm_left: null, dry_run: true } as const;
  return importRoster({ clock: { now: () => NOW }, contactFaults, ...stores }, SCOPE, input);
};

it.each([
  ['cs', '+420601000111', []],
  ['en', null, ['phone']],
] as const)(
  'takes a number without a country in a school with the language %s as %s',
  async (locale, phone, faulty) => {
    const { added, conflicts } = await planOf('id;name;phone\n1;Jan Nový;601 000 111', aSchool({ locale }));
    expect(added).toMatchObject([{ name: 'Jan Nový', phone }]);
    expect(conflicts.map(({ field }) => field)).toEqual(faulty);
  },
);

it('leaves the process time for other work while it reads and compares a large roster', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `${at};Jan ${at};Eva ${at};eva${at}@home.example`);
  const turns = countTurns();
  const { added } = await planOf(`id;name;guardian;guardian e-mail\n${rows.join('\n')}`);
  expect(added).toHaveLength(4_000);
  // 4,000 rows read (pupils, then guardians) and 4,000 people compared, 200 in each turn.
  expect(turns.count).toBeGreaterThan(30);
});
