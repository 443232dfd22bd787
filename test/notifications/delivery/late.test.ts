import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { digestKeyOf } from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Break } from '../../../src/people/preferences.ts';
import { aSchool, NOW } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';
import { ANNOUNCING, decisionOf } from './evaluating.ts';

const QUIET = { from: '07:00', to: '09:30' };
const END = new Date('2026-09-01T09:30:00Z');

/** The decision about a message that is sent at 8:00, in the quiet hours of Eva and of the owner Olga. */
async function decided(more: Partial<Delivery>, quiet_hours: typeof QUIET | null = null, term_calendar: Break[] = []) {
  const people = ['eva', 'olga'].map((user_id) => ({ user_id, opted_out: [], quiet_hours: QUIET }));
  const parts = {
    preferences: { findMany: async () => people },
    links: { place: () => '', unsubscribe: () => '' },
    contentOf: () => ({ calendar: null }),
  };
  const row = aDelivery({ ...ANNOUNCING, channel: 'sms', ...more });
  const decision = await decisionOf(row, parts, aSchool({ quiet_hours, term_calendar, timezone: 'UTC' }));
  return { row, stop: decision?.stop, outgoing: decision?.outgoing };
}

test.each<[string, Partial<Delivery>, (typeof QUIET | null)?]>([
  ['of its reader', { user_id: 'eva' }],
  ['of another reader of its address', { user_id: 'jan', also: [{ user_id: 'eva', name: 'Eva', on_behalf_of: [] }] }],
  ['of the school', { user_id: 'jan' }, QUIET],
  ['of the owner of an unverified address', { user_id: 'jan', given_by: 'jan', address_owners: ['olga'] }],
  ['of the school, for an unverified address without an owner', { user_id: 'eva', given_by: 'eva' }, QUIET],
])('a message that is delayed into the quiet hours %s waits for their end', async (_name, given, ofSchool) => {
  const { row, stop } = await decided(given, ofSchool);
  const deferral = { due_at: END, held_until: END, held_for: 'quiet_hours', digest_key: digestKeyOf(row) };
  expect(stop).toMatchObject({ to: 'waiting', deferral });
});

test('a message that has waited before waits for the end of further quiet hours, and keeps the end of its retries', async () => {
  const { stop } = await decided({ user_id: 'eva', held_until: NOW });
  expect(stop).toMatchObject({ to: 'waiting', afterMs: 90 * 60_000 });
  expect(stop).not.toHaveProperty('deferral');
});

test('a message that has waited for holidays waits anew if they were extended', async () => {
  const holidays = [{ name: 'Storm', start_date: '2026-09-01', end_date: '2026-09-03' }];
  const { stop } = await decided({ user_id: 'jan', held_until: NOW }, null, holidays);
  expect(stop).toMatchObject({ to: 'waiting', deferral: { held_until: new Date('2026-09-04T00:00:00Z') } });
});

test.each<[string, Partial<Delivery>]>([
  ['may have arrived', { user_id: 'eva', repeated: true }],
  ['is part of a digest that was tried before', { user_id: 'eva', held_until: NOW, digest_id: 'digest-1' }],
  ['goes to someone who is awake', { user_id: 'jan' }],
  ['goes to an unverified address, whatever the person who gave it wants', { user_id: 'eva', given_by: 'eva' }],
])('a delayed message is sent if it %s', async (_name, given) => {
  expect((await decided(given)).outgoing).toBeDefined();
});
