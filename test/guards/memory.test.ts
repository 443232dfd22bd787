import { expect, test } from 'vitest';
import { MEMORY } from '../../src/dev/product-process.ts';
import { textOf } from './text-of.ts';

test('scripts, image and test processes have the same memory limits', () => {
  const flags = MEMORY.join(' ');
  const { scripts } = JSON.parse(textOf('package.json'));
  expect(scripts.start).toBe(`exec node ${flags} dist/src/server.js`);
  expect(scripts.worker).toBe(`exec node ${flags} dist/src/worker.js`);
  expect(textOf('Dockerfile')).toContain(`ENV NODE_OPTIONS="${flags}"`);
});
