import { expect, test } from 'vitest';
import type { DeliverDeps } from '../../../src/notifications/delivery/deliver.ts';
import { evaluateLeased } from '../../../src/notifications/delivery/evaluate.ts';
import { anEvent, aSchool, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

test('stops a message to a person who has left the school since it was drafted, and asks for every person it names', async () => {
  const event = anEvent({ status: 'published', published_at: NOW });
  const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: NOW });
  const ida = { user_id: 'ida', name: 'Ida' };
  const also = [{ user_id: 'jan', name: 'Jan', on_behalf_of: [] }];
  const row = aDelivery({ event_id: event.id, fact_id: fact.id, trigger: fact.type, on_behalf_of: [ida], also });
  const asked: string[] = [];
  const deps = {
    adapter: { channel: 'email' },
    clock: { now: () => NOW },
    isUnchanged: async () => true,
    readyTexts: async () => {},
    events: { findMany: async () => [event] },
    preferences: { findMany: async () => [] },
    suppressions: { findSuppressed: async () => new Set(), findStopped: async () => new Set() },
    contacts: {
      findLeft: async (_: unknown, user_ids: string[]) => {
        asked.push(...user_ids);
        return new Set(['ida', 'jan']);
      },
    },
  } as unknown as DeliverDeps;
  const known = { facts: new Map([[fact.id, fact]]), school: aSchool(), claim: 'ours' };
  const [decision] = await evaluateLeased(deps, known, [row]);
  expect(decision?.stop).toMatchObject({ to: 'skipped', reason: 'left_school' });
  expect(asked).toEqual([row.user_id, 'ida', 'jan']);
});
