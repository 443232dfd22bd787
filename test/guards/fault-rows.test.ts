import { expect, test } from 'vitest';
import { DEFECTS } from '../faults/harness/defects.ts';
import { unknownRows } from '../faults/harness/row-result.ts';
import { textOf } from './text-of.ts';

test('finds the names after --only that are no row of the fault suite, beside one that is', () => {
  const results = [{ row: 'smtp-550' }, { row: 'email-kill' }];
  expect(unknownRows(['email-kil', 'email-kill', 'smtp'], results)).toEqual(['email-kil', 'smtp']);
  expect(unknownRows(['smtp-.*'], results)).toEqual([]);
});

test.each(Object.entries(DEFECTS))('the source still has the text that the defect %s replaces', (_name, defect) => {
  expect(textOf(defect.file).split(defect.from)).toHaveLength(2);
});
