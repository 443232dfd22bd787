import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atMost } from '../../src/kernel/at-most.ts';
import type { WorkerName } from '../../src/local/system.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import { pushSubscriptionStore } from '../../src/stores/push-subscription-store.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';
import { endLeases, hurry } from './checks.ts';

const E = '/api/v1/operations/events';
const QUARANTINE = '/api/v1/operations/quarantine';

/** Workers of three channels at once, each killed `kills` times while it works on messages to so many people. */
export function killChannels({ count, kills }: { count: number; kills: number }): void {
  const people = Array.from({ length: count }, (_, n) => contactOf(n, { phone: `+4206${String(n).padStart(8, '0')}` }));
  let world: World;
  beforeAll(async () => {
    // Slow enough to be killed in the midst of it.
    const rate = String(Math.ceil(count / 4));
    const env = { SMS_RATE: rate, PUSH_RATE: rate, IN_APP_RATE: rate };
    world = await startWorld({ start: ['api', 'relay', 'fan-out'], env });
    await contactStore(world.database).putMany(people);
    const store = pushSubscriptionStore(world.database);
    for (const { user_id } of people) {
      const { endpoint, keys } = world.push.subscribe(user_id, world.vapidPublicKey);
      await store.put({ ...SCHOOL, id: user_id, user_id, endpoint, keys, created_at: new Date() });
    }
  });
  afterAll(() => world?.end());

  async function publish(more: Record<string, unknown> = {}): Promise<string> {
    const { body } = await world.call('POST', E, draft(more));
    expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
    return String(body.id);
  }

  /** Whatever was on the wire at three ends of processes is in quarantine: sent from there, unless once is too often. */
  const isEnded = async (id: string, channel: string): Promise<boolean> => {
    const way = channel === 'sms' ? 'discard' : 'redrive';
    await hurry(world, id);
    const rows = await world.deliveries({ event_id: id, channel });
    for (const { _id, status } of rows)
      if (status === 'quarantined') await world.call('POST', `${QUARANTINE}/${_id}/${way}`);
    const open = ['waiting', 'claimed', 'sending', 'unknown', 'quarantined'];
    return rows.length >= count && rows.every(({ status }) => !open.includes(status));
  };

  /** Kills the channel's only worker again and again while it works, and lets the last one finish. */
  async function killAgainAndAgain(
    name: WorkerName,
    channel: string,
    id: string,
    done: () => number | Promise<number>,
  ) {
    let worker = await world.start(name);
    for (let kill = 1; kill <= kills; kill++) {
      await eventually(
        `those before kill ${kill}`,
        async () => {
          await hurry(world, id);
          return (await done()) >= (kill * count) / (kills + 2);
        },
        120_000,
      );
      worker.send('SIGKILL');
      await worker.exited;
      await endLeases(world, channel);
      worker = await world.start(name);
    }
    await eventually('everything settled', () => isEnded(id, channel), 120_000);
    await worker.stop();
  }

  describe.concurrent(`a worker killed ${kills === 1 ? 'once' : `${kills} times`} among ${count} messages`, () => {
    test('of in-app messages: everyone has it once', async () => {
      const id = await publish();
      const inbox = world.database.collection('inbox');
      await killAgainAndAgain('in-app', 'in_app', id, () => inbox.countDocuments({ event_id: id } as never));
      const entries = (await inbox.find({ event_id: id } as never).toArray()) as unknown as { user_id: string }[];
      expect(entries).toHaveLength(count);
      expect(new Set(entries.map(({ user_id }) => user_id)).size).toBe(count);
    }, 300_000);

    test('of pushes: everyone has it, and a repeat takes the place of the first', async () => {
      const id = await publish();
      const ours = () => world.accepted().filter((line) => line.channel === 'push' && line.event === id);
      await killAgainAndAgain('push', 'push', id, () => ours().length);
      const topics = new Map<string, Set<string | null>>();
      for (const { recipient, topic = null } of ours())
        topics.set(recipient, (topics.get(recipient) ?? new Set()).add(topic));
      expect(topics.size).toBe(count);
      expect([...topics.values()].filter((of) => of.size !== 1 || of.has(null))).toEqual([]);
    }, 300_000);

    test('of text messages: nobody is told twice, and who may not have heard is known', async () => {
      const id = await publish({ registration_type: 'optional', target_audience: ['staff'] });
      const inTurn = atMost(200);
      await Promise.all(
        people.map(({ user_id }) =>
          inTurn(() => world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id })),
        ),
      );
      world.twilio.callBack(() => []);
      const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms'] };
      expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
      await killAgainAndAgain('sms', 'sms', id, () => world.twilio.count);
      const heard = world.accepted().flatMap((line) => (line.channel === 'sms' ? line.recipient : []));
      expect(new Set(heard).size).toBe(heard.length);
      const rows = await world.deliveries({ event_id: id, channel: 'sms' });
      expect(rows).toHaveLength(count);
      const known = new Set(heard);
      const doubtful = rows.filter((row) => !known.has(row.address ?? ''));
      expect(doubtful.filter(({ status, reason }) => status !== 'sent_unconfirmed' && reason !== 'discarded')).toEqual(
        [],
      );
    }, 300_000);
  });
}
