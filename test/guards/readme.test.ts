import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingTable } from '../../src/app/config/setting-table.ts';
import { errorTable } from '../../src/core/errors.ts';
import { stateTable } from '../../src/events/rules/lifecycle.ts';
import { ALL_TRIGGERS } from '../../src/notifications/policy/trigger.ts';
import { ruleOf } from '../../src/notifications/policy/trigger-table.ts';
import { textOf } from './text-of.ts';

const TOP = new URL('../../', import.meta.url);

/** All documents that users read, as one text. */
const readme = ['README.md', 'CONTRIBUTING.md', ...readdirSync(new URL('docs', TOP)).map((name) => `docs/${name}`)]
  .map(textOf)
  .join('\n');

/** Files and folders of the repository that the text names in backticks. */
const namedPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|workers|templates|deploy)\/[\w./-]+)`/g)].map(([, path = '']) => path);

test.each([
  ['settings', settingTable()],
  ['states', stateTable()],
  ['errors', errorTable()],
])('the documented table of %s equals the table in the code: npm run build:tables', (_of, table) => {
  // As a fault, `toContain` would print all documents.
  expect(readme.includes(table)).toBe(true);
});

test('every file that a document names exists', () => {
  const gone = (text: string) => namedPaths(text).filter((path) => !existsSync(new URL(path, TOP)));
  expect(namedPaths(readme).length).toBeGreaterThan(3);
  expect(gone(readme)).toEqual([]);
  expect(gone('see `src/no/such.ts`')).toEqual(['src/no/such.ts']);
});

test('every name that a document places in a file stands there', () => {
  const missing = (text: string) =>
    [...text.matchAll(/`(\w+)` in `((?:src|workers)\/[\w./-]+)`/g)].flatMap(([, name = '', path = '']) =>
      new RegExp(`\\b${name}\\b`).test(textOf(path)) ? [] : `${name} in ${path}`,
    );
  expect(missing(readme)).toEqual([]);
  expect(missing('`noSuch` in `src/worker.ts`')).toEqual(['noSuch in src/worker.ts']);
});

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const scriptNames = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(scriptNames.filter((name) => !(name in scripts))).toEqual([]);
});

test('the documented table of messages has the channels, urgency and quiet hours of every trigger', () => {
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
  const channels = (names: readonly string[]) => names.join(', ').replace('sms', 'SMS').replace('in_app', 'in-app');
  for (const trigger of ALL_TRIGGERS) {
    const line = textOf('docs/decisions.md')
      .split('\n')
      .find((one) => one.startsWith('| `') && one.includes(`\`${trigger}\``));
    const [, , defaults, urgent, always, quiet = ''] = cellsOf(line ?? '');
    const rule = ruleOf(trigger);
    expect(defaults, trigger).toBe(channels(rule.channels) || 'chosen for it');
    expect(urgent, trigger).toBe(rule.urgent ? 'yes' : '');
    expect(always, trigger).toBe(channels(rule.mandatory));
    expect(quiet.includes('waits'), trigger).toBe(rule.deferral !== undefined);
    expect(quiet.includes('school days'), trigger).toBe(rule.waitsForSchoolDays === true);
  }
});
