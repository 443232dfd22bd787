import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/stores/contact-store.ts';
import { contactOf, draft, eventually, startWorld, type World } from '../support/world.ts';
import { checkMails, endLeases, hurry, isWorkedOff } from './checks.ts';

const E = '/api/v1/operations/events';
const PEOPLE = 200;
const addresses = Array.from({ length: PEOPLE }, (_, n) => `person-${n}@people.example`);

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'relay', 'fan-out'] });
  await contactStore(world.database).putMany(Array.from({ length: PEOPLE }, (_, n) => contactOf(n)));
});
afterAll(() => world?.end());

test('a worker that stands still for longer than its lease changes nothing when it goes on', async () => {
  const frozen = await world.start('email');
  // In the moment in which servers have taken messages that it has not marked yet.
  let accepted = 0;
  world.smtp.misbehave((phase) => {
    if (phase === 'message' && ++accepted === 60) frozen.send('SIGSTOP');
    return undefined;
  });
  const { body } = await world.call('POST', E, draft());
  const id = String(body.id);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('it stands still', () => accepted >= 60);
  world.smtp.misbehave(undefined);

  // Its leases run out; another worker takes its place, which must not wait for what the first one holds.
  await endLeases(world, 'email');
  const other = await world.start('email');
  const mails = () => world.deliveries({ event_id: id, channel: 'email' });
  const open = ['waiting', 'claimed', 'sending', 'unknown'];
  await eventually(
    'everything settled',
    async () => {
      await hurry(world, id);
      const rows = await mails();
      return rows.length === PEOPLE && rows.every((row) => !open.includes(row.status)) && isWorkedOff(world);
    },
    60_000,
  );
  // What was on a connection and not recorded.
  checkMails(world, addresses, { extra: 20 });

  const before = await mails();
  const count = world.smtp.count;
  frozen.send('SIGCONT');
  // It ends in order: what it was about to write, it has written by then.
  await frozen.stop();
  expect(await mails()).toEqual(before);
  // What it still had in its hands may have left: the second copy that is promised at most, of nothing a third.
  const copies = new Map<string, number>();
  for (const { recipient } of world.accepted()) copies.set(recipient, (copies.get(recipient) ?? 0) + 1);
  expect(Math.max(...copies.values())).toBeLessThanOrEqual(2);
  expect(world.smtp.count - count).toBeLessThanOrEqual(20);
  await other.stop();
}, 120_000);
