import { describe, expect, test } from 'vitest';
import type { StoredReply } from '../../src/core/idempotency-record.ts';
import { erasePerson } from '../../src/privacy/erase-person.ts';
import { withoutPerson } from '../../src/privacy/erasure.ts';
import { aCaller, aDelivery, aFact, aRegistration } from '../support/builders.ts';

const erased = { user_id: 'eva', alias: 'erased-1', secrets: new Set(['eva@people.example', '+420601000001']) };

test('a record keeps all that is not about the person', () => {
  const row = aDelivery({
    user_id: 'mother',
    name: 'Mother',
    address: 'mother@people.example',
    on_behalf_of: [
      { user_id: 'eva', name: 'Eva' },
      { user_id: 'jan', name: 'Jan' },
    ],
  });
  expect(withoutPerson(row, erased)).toEqual({
    ...row,
    on_behalf_of: [
      { user_id: 'erased-1', name: '' },
      { user_id: 'jan', name: 'Jan' },
    ],
  });
});

test('of the person’s own records the numbers stay', () => {
  const contact = { email: 'eva@people.example', phone: null };
  const row = aRegistration({ notes: 'nuts', contact, cancel_reason: 'ill', status: 'cancelled' });
  const registered_by = 'erased-1';
  const blanks = { notes: '', contact: null, cancel_reason: '', user_id: 'erased-1', registered_by };
  expect(withoutPerson(row, erased)).toEqual({ ...row, ...blanks });
  expect(withoutPerson(aDelivery(), erased)).toMatchObject({ user_id: 'erased-1', name: '', address: '' });
});

test('addresses go wherever they stand, and dates and numbers are left alone', () => {
  const fact = aFact('registration.confirmed', {}, { actor: { user_id: 'eva' } });
  expect(withoutPerson({ ...fact, seen: [['+420601000001'], 7, null] }, erased)).toEqual({
    ...fact,
    actor: { user_id: 'erased-1' },
    data: { ...fact.data, user_id: 'erased-1' },
    seen: [[''], 7, null],
  });
});

describe('the erasure', () => {
  const gone: StoredReply = { status: 404, headers: {}, body: '' };
  const officer = aCaller({ permissions: ['events.contacts.manage'] });

  test('ends what is active first, also what was made meanwhile, and not for ever', async () => {
    const done: string[] = [];
    let made = 0;
    const traces = {
      activeRegistrations: async () => {
        made += 1;
        return [`registration-${made}`];
      },
      erase: async () => {
        done.push('erased');
        return { contacts: 1 };
      },
    };
    const endRegistration = async (id: string) => void done.push(id);
    const counts = await erasePerson({ traces, endRegistration }, officer, { user_id: 'eva', gone });
    expect(done).toEqual(['registration-1', 'registration-2', 'registration-3', 'erased']);
    expect(counts).toEqual({ contacts: 1, registrations_ended: 3 });
  });

  test('needs events.contacts.manage', async () => {
    const untouched = {
      activeRegistrations: () => Promise.reject(new Error('asked')),
      erase: () => Promise.reject(new Error('asked')),
    };
    const deps = { traces: untouched, endRegistration: async () => {} };
    await expect(erasePerson(deps, aCaller(), { user_id: 'eva', gone })).rejects.toMatchObject({
      refusal: { code: 'forbidden' },
    });
  });
});
