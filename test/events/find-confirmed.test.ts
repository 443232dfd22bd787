import { expect, test } from 'vitest';
import { isOpenToMembers } from '../../src/events/find-confirmed.ts';

test.each([
  ['none', true],
  ['optional', true],
  ['required', false],
  ['ticketed', false],
] as const)('with registration %s, all members of the school may join: %s', (registration_type, isOpen) => {
  expect(isOpenToMembers({ registration_type })).toBe(isOpen);
});
