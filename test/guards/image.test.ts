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

test('the image has only those packages in node_modules that the bundle can’t contain', () => {
  const { dependencies } = JSON.parse(textOf('package.json'));
  // They read files beside their code, or load native code.
  expect(Object.keys(dependencies)).toEqual(['@bull-board/api', '@bull-board/fastify', '@fastify/swagger-ui', 'sharp']);
});
