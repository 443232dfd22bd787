import { afterAll, beforeAll, expect } from 'vitest';
import { eventually, type OwnWorld, publishEvent } from '../support/world.ts';
import { row } from './harness/row.ts';
import {
  cancel,
  factsAtWork,
  mailsOf,
  publishForMany,
  publishForOne,
  twoTenants,
  untilCancelled,
} from './harness/two-tenants.ts';

const PEOPLE = 1_500;
/** At this rate the notifications take fifteen seconds on any machine. */
const RATE = Math.ceil(PEOPLE / 15);
/** For busy machines. */
const SLOW_MS = 90_000;

let world: OwnWorld;
let other: OwnWorld;
beforeAll(async () => {
  ({ world, other } = await twoTenants(PEOPLE, RATE));
});
afterAll(() => world?.end());

row(
  'flood-fan-out',
  'announcements that occupy every fan-out worker delay neither a cancellation nor another tenant',
  async () => {
    const [own, theirs] = [await publishForOne(world), await publishForOne(other)];
    for (let i = 0; i < 10; i++) await publishEvent(world);
    await cancel(other, theirs);
    await cancel(world, own);
    await untilCancelled(world, [theirs, own]);
    expect(await factsAtWork(world)).toBeGreaterThan(0);
    const announced = await publishEvent(other);
    await eventually('the other tenant is notified', () => mailsOf(world, announced) === 1, SLOW_MS);
    const waiting = await world.database
      .collection('deliveries')
      .countDocuments({ tenant_id: 'tenant-a', channel: 'email', status: 'waiting' } as never);
    expect(waiting).toBeGreaterThan(PEOPLE);
  },
);

row('flood-urgent', 'a cancellation to thousands does not delay the one of another tenant', async () => {
  const theirs = await publishForOne(other);
  const crowd = await publishForMany(world, PEOPLE);
  await cancel(world, crowd);
  await eventually('the first mails to the crowd', () => mailsOf(world, crowd) > 0, SLOW_MS);
  await cancel(other, theirs);
  await untilCancelled(world, [theirs]);
  expect(mailsOf(world, crowd)).toBeLessThan((PEOPLE * 3) / 4);
});
