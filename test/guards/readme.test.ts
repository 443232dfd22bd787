import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/config.ts';
import { stateTable } from '../../src/events/lifecycle.ts';
import { errorTable } from '../../src/kernel/errors.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const missingSettings = (text: string): string[] => SETTING_NAMES.filter((name) => !text.includes(`\`${name}\``));

/** Files and folders of the repository that the text names in backticks. */
const namedPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|workers|templates)\/[\w./-]+)`/g)].map(([, path = '']) => path);

test('the README tells every setting', () => {
  expect(missingSettings(readme)).toEqual([]);
  expect(missingSettings(readme.replace('`PUBLIC_URL`', ''))).toEqual(['PUBLIC_URL']);
});

test('every file the README names is there', () => {
  const gone = (text: string) =>
    namedPaths(text).filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)));
  expect(namedPaths(readme).length).toBeGreaterThan(3);
  expect(gone(readme)).toEqual([]);
  expect(gone('see `src/no/such.ts`')).toEqual(['src/no/such.ts']);
});

test('every npm script the README tells of exists', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const told = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(told.filter((name) => !(name in scripts))).toEqual([]);
});

test('the table of states is the one the code goes by', () => {
  expect(readme).toContain(stateTable());
});

test('so is the table of errors', () => {
  expect(readme).toContain(errorTable());
});
