import { expect, it } from 'vitest';
import { contactFaults } from '../../../src/http/people/people-schema.ts';
import { importRoster } from '../../../src/people/roster/import-roster.ts';
import { suggestColumns } from '../../../src/people/roster/plain-roster.ts';
import { readTables } from '../../../src/storage/read-tables.ts';
import { aSchool, NOW, SCOPE } from '../../support/builders.ts';
import { countTurns } from '../../support/turns.ts';

it('leaves the process time for other work while it reads and compares a large roster', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `${at};Jan ${at};Eva ${at};eva${at}@home.example`);
  const tables = await readTables(Buffer.from(`id;name;guardian;guardian e-mail\n${rows.join('\n')}`));
  const stores = {
    contacts: { listAll: async () => [], putMany: async () => ({ inserted: 0, replaced: 0 }) },
    schools: { find: async () => aSchool() },
  };
  const columns = suggestColumns(tables[0]?.heads ?? []);
  const input = { tables, columns, org: null, role: 'student', confirm_left: null, dry_run: true } as const;
  const turns = countTurns();
  const { added } = await importRoster({ clock: { now: () => NOW }, contactFaults, ...stores }, SCOPE, input);
  expect(added).toHaveLength(4_000);
  // 4,000 rows read (pupils, then guardians) and 4,000 people compared, 200 in each turn.
  expect(turns.count).toBeGreaterThan(30);
});
