import { expect, test } from 'vitest';
import { carried } from '../../src/notifications/carry.ts';
import type { DeliverDeps } from '../../src/notifications/deliver.ts';
import type { Outcome } from '../../src/notifications/outcome.ts';
import type { Settlement } from '../../src/notifications/ports.ts';
import { aDelivery, aFact, anEvent, aSchool, NOW } from '../support/builders.ts';

test('what the gate stops is written before the others of its chunk have an answer', async () => {
  const event = anEvent({ status: 'published' });
  const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: event.published_at ?? NOW });
  const about = { event_id: event.id, fact_id: fact.id, trigger: fact.type, channel: 'sms', claim: 'ours' } as const;
  const goes = aDelivery({ ...about, id: 'goes', user_id: 'goes', address: '+420601000001', status: 'sending' });
  const stops = aDelivery({ ...about, id: 'stops', user_id: 'stops', address: '+420601000002', status: 'sending' });
  let answer: (outcomes: Outcome[]) => void = () => {};
  let isOnTheWire = () => {};
  const onTheWire = new Promise<void>((resolve) => {
    isOnTheWire = resolve;
  });
  const written: Settlement[] = [];
  const reported: string[] = [];
  const deps = {
    clock: { now: () => NOW },
    random: () => 0.5,
    events: { findMany: async () => [event] },
    facts: { findMany: async () => [fact], find: async () => fact },
    schools: { find: async () => aSchool() },
    contacts: { findMany: async () => [], childrenOf: async () => [] },
    registrations: { findMany: async () => [] },
    suppressions: {},
    deliveries: {
      announced: async () => [],
      onTheWire: async () => [],
      settle: async (settlements: Settlement[]) => void written.push(...settlements),
    },
    adapter: {
      chunk: 25,
      send: () => {
        isOnTheWire();
        return new Promise<Outcome[]>((resolve) => {
          answer = resolve;
        });
      },
    },
    links: { place: () => '', unsubscribe: () => '' },
    publicUrl: 'http://school.example',
    organizerAddress: 'office@school.example',
    contentOf: () => ({ key: 'content', calendar: null }),
    report: ({ id, to }: Settlement) => void reported.push(`${id} ${to}`),
  } as unknown as DeliverDeps;
  const consent = { wishes: new Map(), suppressed: new Set<string>(), stopped: new Set(['+420601000002']) };

  const ending = carried(deps, [goes, stops], 'ours', consent);
  await onTheWire;
  expect(written).toMatchObject([{ id: 'stops', to: 'skipped', reason: 'opted_out' }]);
  expect(reported).toEqual(['stops skipped']);
  answer([{ kind: 'accepted' }]);
  expect((await ending).settlements).toMatchObject([{ id: 'goes', to: 'sent' }]);
});
