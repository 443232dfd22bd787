import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const LIBRARIES = fileURLToPath(new URL('../../dist/libraries/node_modules/', import.meta.url));

test.each(['fastify', 'pino', '@opentelemetry/api'])('the build has the version and the licence of %s', (name) => {
  expect(readdirSync(`${LIBRARIES}${name}`).sort()).toEqual(['LICENSE', 'package.json']);
});
