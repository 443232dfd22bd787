import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

// Composed, so that the guard does not find this file.
const MACHINE_PATH = new RegExp(`(?<![\\w.$}~-])/(?:${['work', 'root', 'home', 'Users'].join('|')})/`);
const REGISTRY = new RegExp(
  `https?://[^\\s/"']*(?:${['registry', 'artifactory', 'nexus', 'verdaccio'].join('|')})`,
  'i',
);
const RESOLVED = /"resolved": "https?:/;

/** Lines of a text that name the machine it was written on. */
function traces(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) => {
    const found = [
      MACHINE_PATH.test(line) && 'a path of one machine',
      REGISTRY.test(line) && 'the address of a package registry',
      path.endsWith('package-lock.json') && RESOLVED.test(line) && 'where a package was fetched from',
    ].filter((fault) => fault !== false);
    return found.map((fault) => `${path}:${at + 1}: ${fault}`);
  });
}

/** Every text file that git would track, read from the folder, since a checkout need not have git. */
function textFiles(folder = ''): string[] {
  return readdirSync(`${TOP}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (ignored.some((pattern) => pattern.test(entry.name))) return [];
    if (entry.isDirectory()) return textFiles(`${path}/`);
    return entry.isFile() && !/\.(png|jpe?g|ico|woff2?|gz|pdf)$/.test(entry.name) ? [path] : [];
  });
}

const ignored = ['.git', ...readFileSync(`${TOP}.gitignore`, 'utf8').split('\n')]
  .map((line) => line.trim().replace(/^\/|\/$/g, ''))
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));

test('no file names the machine it was written on', () => {
  const files = textFiles();
  expect(files).toContain('package-lock.json');
  expect(files.flatMap((path) => traces(path, readFileSync(`${TOP}${path}`, 'utf8')))).toEqual([]);
});

const at = (...parts: string[]) => parts.join('/');

test.each([
  ['x.ts', `import '${at('', 'work', 'main', 'src', 'x.ts')}';`, 'a path of one machine'],
  ['.ci/run', `cd ${at('', 'root', 'schoolbell')}`, 'a path of one machine'],
  ['a.md', `file://${at('', 'home', 'me', 'a')}`, 'a path of one machine'],
  [
    '.npmrc',
    `registry=${at('https:', '', ['registry', 'npmjs', 'org'].join('.'))}`,
    'the address of a package registry',
  ],
  ['Dockerfile', `RUN npm ci --registry ${at('http:', '', 'nexus.local', 'npm')}`, 'the address of a package registry'],
  ['package-lock.json', '"resolved": "https://mirror.local/a.tgz"', 'where a package was fetched from'],
])('the guard finds the trace in %s, the line %s', (path, line, fault) => {
  expect(traces(path, `fine\n${line}\nfine`)).toEqual([`${path}:2: ${fault}`]);
});

test('the lock file has a checksum of every package that npm fetches', () => {
  const { packages } = JSON.parse(readFileSync(`${TOP}package-lock.json`, 'utf8')) as {
    packages: Record<string, { integrity?: string; inBundle?: boolean }>;
  };
  const unchecked = Object.keys(packages).filter((name) => !packages[name]?.integrity && !packages[name]?.inBundle);
  // Without a name: the project itself.
  expect(unchecked).toEqual(['']);
});
