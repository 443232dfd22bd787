import { expect, test } from 'vitest';
import { aContact, NOW } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { ANNOUNCING, decisionOf } from './evaluating.ts';

test('stops a message to a person who has left the school since it was drafted, and asks for every person it names', async () => {
  const ida = { user_id: 'ida', name: 'Ida' };
  const also = [{ user_id: 'jan', name: 'Jan', on_behalf_of: [] }];
  const row = aDelivery({ ...ANNOUNCING, channel: 'email', on_behalf_of: [ida], also });
  const asked: string[] = [];
  const findTies = async (_: unknown, user_ids: string[]) => {
    asked.push(...user_ids);
    return ['ida', 'jan'].map((id) => aContact(id, { left_at: NOW }));
  };
  const decision = await decisionOf(row, { contacts: { findTies } });
  expect(decision?.stop).toMatchObject({ to: 'skipped', reason: 'left_school' });
  expect(asked).toEqual([row.user_id, 'ida', 'jan']);
});
