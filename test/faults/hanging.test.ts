import { afterAll, beforeAll, expect } from 'vitest';
import { eventually } from '../support/world.ts';
import { row } from './harness/row.ts';
import { announce, cancel, publishForOne, type TwoTenants, twoTenants, untilCancelled } from './harness/two-tenants.ts';

const PEOPLE = 300;
/** Longer than this test takes on any machine. */
const HANGS_MS = 200_000;

let tenants: TwoTenants;
beforeAll(async () => {
  tenants = await twoTenants(PEOPLE, null, { SEND_TIMEOUT_MS: String(HANGS_MS), LEASE_MS: String(2 * HANGS_MS) });
});
afterAll(() => tenants?.world.end());

row('recipients-hang', 'recipients that hang do not delay a cancellation', async () => {
  const { world } = tenants;
  const [own, theirs] = [await publishForOne(tenants, 'own'), await publishForOne(tenants, 'other')];
  const hanging = new Set<string>();
  world.smtp.misbehave((phase, address) => {
    if (phase !== 'rcpt' || !address.endsWith('@people.example')) return undefined;
    hanging.add(address);
    return 'hang';
  });
  const bulk = await announce(tenants, 'own');
  await eventually('bulk has all the connections it gets', () => hanging.size === 18, 60_000);
  await cancel(tenants, 'other', theirs);
  await cancel(tenants, 'own', own);
  await untilCancelled(world, [theirs, own]);
  // None of them has a result yet.
  const ended = { event_id: bulk, channel: 'email', status: { $nin: ['waiting', 'claimed', 'sending'] } };
  expect(await world.deliveries(ended)).toEqual([]);
  expect(hanging.size).toBe(18);
});
