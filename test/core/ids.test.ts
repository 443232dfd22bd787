import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, newId } from '../../src/core/ids.ts';

test('creates UUIDv7 ids that sort by creation time', () => {
  const ids = Array.from({ length: 200 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('gives different lists of parts different hashes', () => {
  const parts = fc.array(fc.string(), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(hashOf(...a) === hashOf(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
  expect(hashOf('ab', 'c')).not.toBe(hashOf('a', 'bc'));
  expect(hashOf('a|', 'b')).not.toBe(hashOf('a', '|b'));
  expect(hashOf('a', '')).not.toBe(hashOf('a'));
  expect(hashOf('1:a|')).not.toBe(hashOf('a'));
});
