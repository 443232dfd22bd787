import { expect, test } from 'vitest';
import type { DeliverDeps } from '../../../src/notifications/delivery/deliver.ts';
import { evaluateLeased } from '../../../src/notifications/delivery/evaluate.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { digestKeyOf } from '../../../src/notifications/policy/draft-deliveries.ts';
import { anEvent, aSchool, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const event = anEvent({ status: 'published', published_at: NOW });
const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: NOW });
const QUIET = { from: '07:00', to: '09:30' };
const END = new Date('2026-09-01T09:30:00Z');

/** The decision about a message that is sent at 8:00, in the quiet hours of Eva and of the owner Olga. */
async function decided(more: Partial<Delivery>, quiet_hours: typeof QUIET | null = null) {
  const people = ['eva', 'olga'].map((user_id) => ({ user_id, opted_out: [], quiet_hours: QUIET }));
  const deps = {
    adapter: { channel: 'sms' },
    clock: { now: () => NOW },
    isUnchanged: async () => true,
    readyTexts: async () => {},
    events: { findMany: async () => [event] },
    preferences: { findMany: async () => people },
    suppressions: { findSuppressed: async () => new Set(), findStopped: async () => new Set() },
    contacts: { findLeft: async () => new Set() },
    links: { place: () => '', unsubscribe: () => '' },
    contentOf: () => ({ calendar: null }),
  } as unknown as DeliverDeps;
  const row = aDelivery({ event_id: event.id, fact_id: fact.id, trigger: fact.type, channel: 'sms', ...more });
  const known = { facts: new Map([[fact.id, fact]]), school: aSchool({ quiet_hours }), claim: 'ours' };
  const [decision] = await evaluateLeased(deps, known, [row]);
  return { row, stop: decision?.stop, outgoing: decision?.outgoing };
}

test.each<[string, Partial<Delivery>, (typeof QUIET | null)?]>([
  ['of its reader', { user_id: 'eva' }],
  ['of the school', { user_id: 'jan' }, QUIET],
  ['of the owner of an unverified address', { user_id: 'jan', given_by: 'jan', address_owners: ['olga'] }],
  ['of the school, for an unverified address without an owner', { user_id: 'eva', given_by: 'eva' }, QUIET],
])('a message that is delayed into the quiet hours %s waits for their end', async (_name, given, ofSchool) => {
  const { row, stop } = await decided(given, ofSchool);
  const deferral = { due_at: END, held_until: END, held_for: 'quiet_hours', digest_key: digestKeyOf(row) };
  expect(stop).toMatchObject({ to: 'waiting', deferral });
});

test.each<[string, Partial<Delivery>]>([
  ['has waited for the end of quiet hours', { user_id: 'eva', held_until: NOW }],
  ['may have arrived', { user_id: 'eva', repeated: true }],
  ['goes to someone who is awake', { user_id: 'jan' }],
  ['goes to an unverified address, whatever the person who gave it wants', { user_id: 'eva', given_by: 'eva' }],
])('a delayed message is sent if it %s', async (_name, given) => {
  expect((await decided(given)).outgoing).toBeDefined();
});
