import { describe, expect, test } from 'vitest';
import type { StoredReply } from '../../src/core/idempotency-record.ts';
import { erasePerson } from '../../src/privacy/person-data.ts';
import { aCaller } from '../support/builders.ts';

describe('the erasure', () => {
  const gone: StoredReply = { status: 404, headers: {}, body: '' };
  const officer = aCaller({ permissions: ['events.contacts.manage'] });

  test('ends what is active first, also what was made during it, and not for ever', async () => {
    const done: string[] = [];
    let made = 0;
    const traces = {
      findActiveRegistrations: async () => {
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
    expect(done).toEqual([1, 2, 3].flatMap((n) => [`registration-${n}`, 'erased']));
    expect(counts).toEqual({ contacts: 3, registrations_ended: 3 });
  });

  test('tries once to end a registration that stays active, such as one of an event that is over by then', async () => {
    const done: string[] = [];
    const traces = {
      findActiveRegistrations: async () => ['registration-1'],
      erase: async () => {
        done.push('erased');
        return {};
      },
    };
    const endRegistration = async (id: string) => void done.push(id);
    await erasePerson({ traces, endRegistration }, officer, { user_id: 'eva', gone });
    expect(done).toEqual(['registration-1', 'erased']);
  });
});
