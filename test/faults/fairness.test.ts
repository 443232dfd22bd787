import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  announce,
  cancel,
  factsAtWork,
  mailsOf,
  mailsWaiting,
  type TwoTenants,
  twoTenants,
  untilCancelled,
  withManyGuests,
  withOneGuest,
} from '../support/floods.ts';
import { eventually, type World } from '../support/world.ts';
import { row } from './row.ts';

const PEOPLE = 3_000;
/** What is to be told takes fifteen seconds at this rate, however fast the machine is. */
const RATE = 200;
/** For machines that do much else. */
const SLOW_MS = 90_000;

let house: TwoTenants;
let world: World;
beforeAll(async () => {
  house = await twoTenants(PEOPLE, RATE);
  world = house.world;
}, 120_000);
afterAll(() => world?.end());

test('a cancellation overtakes thousands of announcements, of another tenant and of its own', async () => {
  const [own, theirs] = [await withOneGuest(house, 'own'), await withOneGuest(house, 'other')];
  const flood = await announce(house, 'own');
  await eventually('the flood flows', () => mailsOf(world, flood) >= RATE / 2, SLOW_MS);
  await cancel(house, 'other', theirs);
  await cancel(house, 'own', own);
  await untilCancelled(world, [theirs, own]);
  expect(await mailsWaiting(world, flood)).toBeGreaterThan(PEOPLE / 4);
}, 120_000);

row(
  'flood-fan-out',
  'a flood that occupies every slot of the fan-out holds up neither a cancellation nor another tenant',
  async () => {
    const [own, theirs] = [await withOneGuest(house, 'own'), await withOneGuest(house, 'other')];
    for (let i = 0; i < 10; i++) await announce(house, 'own');
    await cancel(house, 'other', theirs);
    await cancel(house, 'own', own);
    await untilCancelled(world, [theirs, own]);
    expect(await factsAtWork(world)).toBeGreaterThan(0);
    const announced = await announce(house, 'other');
    await eventually('the other tenant is notified', () => mailsOf(world, announced) === 1, SLOW_MS);
    const waiting = await world.database
      .collection('deliveries')
      .countDocuments({ tenant_id: 'tenant-a', channel: 'email', status: 'waiting' } as never);
    expect(waiting).toBeGreaterThan(PEOPLE);
  },
);

row('flood-urgent', 'a cancellation to thousands does not hold up the one of another tenant', async () => {
  const theirs = await withOneGuest(house, 'other');
  const crowd = await withManyGuests(house);
  await cancel(house, 'own', crowd);
  await eventually('the crowd is being told', () => mailsOf(world, crowd) > 0, SLOW_MS);
  await cancel(house, 'other', theirs);
  await untilCancelled(world, [theirs]);
  expect(mailsOf(world, crowd)).toBeLessThan((PEOPLE * 3) / 4);
});
