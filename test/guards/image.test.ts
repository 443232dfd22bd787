import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from './text-of.ts';

test('the image runs node directly as an unprivileged user', () => {
  const last = textOf('Dockerfile')
    .split(/^FROM /m)
    .at(-1);
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^CMD \["node", "dist\/src\/server.js"\]$/m);
});

test('the image is built without what Git ignores', () => {
  const linesOf = (path: string) => textOf(path).trim().split('\n');
  const ignored = linesOf('.gitignore').map((line) => `**/${line.replace(/\/$/, '')}`);
  expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining(ignored));
});

const SRC = new URL('../../src/', import.meta.url);
/** Folders that no process needs. */
const NOT_RUNNING = /^(build|cli|dev|web)\//;

test('the image has no package that only the build needs', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const running = files.filter((path) => path.endsWith('.ts') && !NOT_RUNNING.test(path));
  const code = running.map((path) => textOf(`src/${path}`)).join('\n');
  const { dependencies } = JSON.parse(textOf('package.json'));
  const unused = Object.keys(dependencies).filter((name) => !code.includes(`'${name}'`) && !code.includes(`'${name}/`));
  expect(unused).toEqual([]);
});
