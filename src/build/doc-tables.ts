import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS, settingTable } from '../app/config/setting-table.ts';
import { errorTable } from '../core/errors.ts';
import { stateTable } from '../events/rules/lifecycle.ts';
import { WORKERS } from '../queues/names.ts';

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

// The names of workers and settings that the chart takes. It sets some settings itself, takes others from its Secret, and runs
// no commands.
const CHART = new URL('../../deploy/helm/schoolbell/', import.meta.url);
const OTHERS = /^(HOST|PORT|METRICS_PORT|FILES_DIR|ONEROSTER_\w+)$/;
const pods = readFileSync(new URL('templates/_helpers.tpl', CHART), 'utf8');
const names = [...SETTINGS.keys()].filter((name) => !OTHERS.test(name) && !pods.includes(`"${name}"`));
const file = new URL('values.schema.json', CHART);
const schema = JSON.parse(readFileSync(file, 'utf8'));
schema.properties.settings.propertyNames.enum = names;
schema.properties.workers.propertyNames.enum = WORKERS;
writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
