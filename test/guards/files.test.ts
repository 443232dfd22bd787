import { expect, test } from 'vitest';
import { nodesOf, type Source, sourcesIn } from './sources.ts';

const LONGEST = 300;

/** Longer files, each with the reason why it has one subject. */
const LONG: Readonly<Record<string, string>> = {};

/** Folders that may print to the terminal. */
const MAY_PRINT = ['src/dev/', 'src/build/', 'src/cli/'];

/** Files that may read the environment. */
const MAY_READ_ENVIRONMENT = ['src/dev/', 'src/build/', 'src/app/config/config.ts', 'src/app/process.ts', 'src/cli/'];

const NAMELESS = /^(utils?|helpers?|common|misc|managers?|service)$/;

function fileFaults(sources: readonly Source[], long: Readonly<Record<string, string>> = LONG): string[] {
  const faults = Object.keys(long)
    .filter((path) => !sources.some((source) => source.path === path && linesOf(source) > LONGEST))
    .map((path) => `${path}: needs no place in the list of long files`);
  for (const source of sources) {
    const { path } = source;
    const say = (fault: string) => faults.push(`${path}: ${fault}`);
    if (linesOf(source) > LONGEST && !long[path]) say(`${linesOf(source)} lines are more than ${LONGEST}`);
    const folders = path.split('/').slice(0, -1);
    for (const folder of folders.filter((name) => NAMELESS.test(name))) say(`a folder named ${folder} has no subject`);
    const stem = path.replace(/^.*\//, '').replace(/\..*$/, '');
    if (NAMELESS.test(stem)) say(`a file named ${stem} has no subject`);
    // Routes of the browser client are named after their addresses.
    const free = path.startsWith('src/web/');
    if (!free && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) say('is not named in kebab-case');
    const members = nodesOf(source).filter(({ type }) => type === 'MemberExpression') as unknown as Member[];
    const prints = members.some(({ object }) => object.name === 'console');
    if (prints && !MAY_PRINT.some((place) => path.startsWith(place))) say('prints; the log is the place for it');
    const reads = members.some(({ object, property }) => object.name === 'process' && property.name === 'env');
    if (reads && !MAY_READ_ENVIRONMENT.some((place) => path.startsWith(place)))
      say('reads the environment past config.ts');
  }
  return faults;
}

type Member = { object: { name?: string }; property: { name?: string } };

const linesOf = ({ text }: Source): number => text.trimEnd().split('\n').length;

test('every file is short, has a telling name, and uses neither terminal nor environment', () => {
  expect(fileFaults(sourcesIn('src', 'workers'))).toEqual([]);
});

test.each([
  ['src/events/x.ts', 'x;\n'.repeat(301), '301 lines are more than 300'],
  ['src/utils/dates.ts', '', 'a folder named utils has no subject'],
  ['src/events/helpers/dates.ts', '', 'a folder named helpers has no subject'],
  ['src/events/common.ts', '', 'a file named common has no subject'],
  ['src/events/EventStore.ts', '', 'is not named in kebab-case'],
  ['src/events/x.ts', 'if (1) console.error(1)', 'prints; the log is the place for it'],
  ['workers/x.ts', 'console.log(1)', 'prints; the log is the place for it'],
  ['src/events/x.ts', 'const a = process.env.TZ', 'reads the environment past config.ts'],
])('the guard finds the fault of %s', (path, text, fault) => {
  expect(fileFaults([{ path, text }])).toEqual([`${path}: ${fault}`]);
});
