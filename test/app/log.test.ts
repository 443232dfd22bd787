import { expect, test } from 'vitest';
import { describeError, withoutAddresses } from '../../src/app/log.ts';

test('an error is described by name, code and message', () => {
  const error = Object.assign(new TypeError('no'), { code: 'E1', response: 'secret' });
  expect(describeError(error)).toEqual({ name: 'TypeError', code: 'E1', message: 'no' });
  expect(describeError(error, true)).toHaveProperty('stack');
  expect(describeError('plain')).toEqual({ name: 'string', message: 'plain' });
});

test.each([
  ['550 parent@example.org unknown', '550 [address removed] unknown'],
  ['"To":"<žák+x@škola-1.example.cz>"', '"To":"<[address removed]>"'],
  ['smtp://user:pa%40ss@mail.example.org:25/?pool=1', 'smtp://[removed]@mail.example.org:25/?pool=1'],
  ['redis://:hunter2@localhost', 'redis://[removed]@localhost'],
  ["The 'To' number +420123456789 is not valid", "The 'To' number [number removed] is not valid"],
  ['2026-03-29T02:30:00.000+01:00', '2026-03-29T02:30:00.000+01:00'],
  ['node_modules/@fastify/swagger/index.js:1', 'node_modules/@fastify/swagger/index.js:1'],
])('%j is written as %j', (line, written) => {
  expect(withoutAddresses(line)).toBe(written);
});
