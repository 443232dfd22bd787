import { expect, test } from 'vitest';
import { matches } from '../../src/registrations/roster.ts';

test.each([
  ['strasser vera', true],
  ['VĚRA', true],
  ['home.example sedadla', true],
  ['jan', false],
])('the search for "%s" among registrations ignores case, accents and spellings of ß: %s', (q, isFound) => {
  const registration = { user_id: 'u1', notes: 'Dvě sedadla', contact: null };
  expect(matches(registration, { name: 'Věra Straßer', email: 'vera@home.example' }, q)).toBe(isFound);
});
