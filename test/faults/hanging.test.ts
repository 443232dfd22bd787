import { afterAll, beforeAll, expect } from 'vitest';
import { announce, cancel, type TwoTenants, twoTenants, untilCancelled, withOneGuest } from '../support/floods.ts';
import { eventually } from '../support/world.ts';
import { row } from './row.ts';

const PEOPLE = 300;
/** Longer than this test takes on any machine. */
const HANGS_MS = 200_000;

let house: TwoTenants;
beforeAll(async () => {
  house = await twoTenants(PEOPLE, null, { SEND_TIMEOUT_MS: String(HANGS_MS), LEASE_MS: String(2 * HANGS_MS) });
}, 120_000);
afterAll(() => house?.world.end());

row('recipients-hang', 'recipients that hang do not hold up a cancellation', async () => {
  const { world } = house;
  const [own, theirs] = [await withOneGuest(house, 'own'), await withOneGuest(house, 'other')];
  const hanging = new Set<string>();
  world.smtp.misbehave((phase, { to }) => {
    const [address = ''] = to;
    if (phase !== 'rcpt' || !address.endsWith('@people.example')) return undefined;
    hanging.add(address);
    return 'hang';
  });
  const flood = await announce(house, 'own');
  await eventually('bulk has all the connections it gets', () => hanging.size === 18, 60_000);
  await cancel(house, 'other', theirs);
  await cancel(house, 'own', own);
  await untilCancelled(world, [theirs, own]);
  // Not one of them has come to an end meanwhile.
  const ended = { event_id: flood, channel: 'email', status: { $nin: ['waiting', 'claimed', 'sending'] } };
  expect(await world.deliveries(ended)).toEqual([]);
  expect(hanging.size).toBe(18);
});
