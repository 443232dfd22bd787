import { expect, test } from 'vitest';
import { matches, readRegistrations } from '../../src/registrations/list.ts';
import type { RegistrationDeps } from '../../src/registrations/ports.ts';
import { aRegistration, SCOPE } from '../support/builders.ts';

test.each([
  ['strasser vera', true],
  ['VĚRA', true],
  ['home.example sedadla', true],
  ['jan', false],
  ['vera jan', false],
  ['u1 eva@work.example 601', true],
  ['null', false],
])('the search for "%s" among registrations ignores case, accents and spellings of ß: %s', (q, isFound) => {
  const contact = { email: 'eva@work.example', phone: '+420601000001' };
  const registration = { user_id: 'u1', notes: 'Dvě sedadla', contact };
  expect(matches(registration, { name: 'Věra Straßer', email: 'vera@home.example' }, q)).toBe(isFound);
});

test('a long list is read in batches, each after the last row of the one before', async () => {
  const all = Array.from({ length: 1_000 }, (_, n) => aRegistration({ id: String(n) }));
  const findPage = async (_scope: unknown, _id: string, { after, limit }: { after?: string; limit: number }) => {
    const from = after === undefined ? 0 : Number(after) + 1;
    return all.slice(from, from + limit);
  };
  const registrations = { findPage } as unknown as RegistrationDeps['registrations'];
  const batches: number[] = [];
  for await (const rows of readRegistrations({ registrations }, SCOPE, 'event-1', {})) batches.push(rows.length);
  expect(batches).toEqual([500, 500]);
});
