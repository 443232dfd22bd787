import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { settingTable } from '../app/config/setting-table.ts';
import { errorTable } from '../core/errors.ts';
import { stateTable } from '../events/rules/lifecycle.ts';

// Replaces the generated tables in docs/, each found by its first line.
const FOLDER = new URL('../../docs/', import.meta.url);
for (const file of readdirSync(FOLDER).map((name) => new URL(name, FOLDER))) {
  let text = readFileSync(file, 'utf8');
  for (const table of [settingTable(), errorTable(), stateTable()]) {
    const start = text.indexOf(table.slice(0, table.indexOf('\n')));
    const rest = text.slice(start);
    const end = start + rest.search(/\n(?!\|)/);
    if (start >= 0) text = text.slice(0, start) + table + text.slice(end);
  }
  writeFileSync(file, text);
}
