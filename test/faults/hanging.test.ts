import { afterAll, beforeAll, expect } from 'vitest';
import { eventually, type OwnWorld, publishEvent } from '../support/world.ts';
import { row } from './harness/row.ts';
import { cancel, publishForOne, twoTenants, untilCancelled } from './harness/two-tenants.ts';

const PEOPLE = 300;
/** Longer than this test takes on any machine. */
const HANGS_MS = 200_000;

let world: OwnWorld;
let other: OwnWorld;
beforeAll(async () => {
  const timeouts = { SEND_TIMEOUT_MS: String(HANGS_MS), LEASE_MS: String(2 * HANGS_MS) };
  ({ world, other } = await twoTenants(PEOPLE, null, timeouts));
});
afterAll(() => world?.end());

row('recipients-hang', 'recipients that hang do not delay a cancellation', async () => {
  const [own, theirs] = [await publishForOne(world), await publishForOne(other)];
  const hanging = new Set<string>();
  world.smtp.misbehave((phase, address) => {
    if (phase !== 'rcpt' || !address.endsWith('@people.example')) return undefined;
    hanging.add(address);
    return 'hang';
  });
  const bulk = await publishEvent(world);
  await eventually('bulk has all the connections it gets', () => hanging.size === 18, 60_000);
  await cancel(other, theirs);
  await cancel(world, own);
  await untilCancelled(world, [theirs, own]);
  // None of them has a result yet.
  const ended = { event_id: bulk, channel: 'email', status: { $nin: ['waiting', 'claimed', 'sending'] } };
  expect(await world.deliveries(ended)).toEqual([]);
  expect(hanging.size).toBe(18);
});
