import { expect, test } from 'vitest';
import { unknownRows } from '../faults/harness/row-result.ts';

test('finds the names after --only that are no row of the fault suite, beside one that is', () => {
  const results = [{ row: 'smtp-550' }, { row: 'email-kill' }];
  expect(unknownRows(['email-kil', 'email-kill', 'smtp'], results)).toEqual(['email-kil', 'smtp']);
  expect(unknownRows(['smtp-.*'], results)).toEqual([]);
});
