import { expect } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { schoolStore } from '../../src/mongo/people/people-stores.ts';
import { unnamedSchool } from '../../src/people/school.ts';
import { contactsOf, eventually, publishEvent, putPeople } from '../support/world.ts';
import { atMessages, killAndReplace, latest, meanwhile, momentOf } from './harness/crew.ts';
import { COPIES_A_KILL, REST_MS, startEachWorker, world } from './harness/crew-world.ts';
import { expectPromises, waitForRest } from './harness/expect-promises.ts';
import { IS_SUITE, type Row, row } from './harness/row.ts';
import { openSchool, type School } from './harness/school.ts';

startEachWorker();

/** Time to send the messages of one more killed worker one at a time. */
const SUSPECTED_MS = 3_000;

/** Kills the worker of a channel at random messages. @returns when the last one was replaced */
async function killAgainAndAgain(
  channel: 'email' | 'sms' | 'push',
  kills: number,
  nth: () => number,
  begin: () => Promise<unknown>,
): Promise<number> {
  const name = IS_SUITE ? channel : 'all';
  let first: Promise<unknown> | null = null;
  for (let kill = 0; kill < kills; kill += 1) {
    const moment = momentOf(nth(), () => latest(world, name).send('SIGKILL'));
    atMessages(world, channel, moment.call);
    first ??= begin();
    await moment.reached;
    await latest(world, name).exited;
    await world.start(name);
  }
  const last = Date.now();
  await first;
  return last;
}

/** Kills the worker of a channel while it sends an announcement to everyone. */
const killWhileAnnounced =
  (channel: 'email' | 'push', of: Record<'kills' | 'people', readonly [full: number, small: number]>) =>
  async ({ random, size, note }: Row) => {
    const [kills, people] = [size(...of.kills), size(...of.people)];
    const school = await openSchool(world, { people, ...(channel === 'push' ? { push: people } : {}), random });
    const nth = () => random.int(1, Math.floor((0.8 * people) / kills));
    const last = await killAgainAndAgain(channel, kills, nth, school.announce);
    note({ kills });
    const copies = { [channel]: COPIES_A_KILL * kills };
    // Messages that a killed worker had leased are sent one at a time.
    const atRestWithinMs = REST_MS + (kills - 1) * SUSPECTED_MS;
    await expectPromises({ note }, world, school, { copies, atRestWithinMs }, last);
  };

row(
  'email-kill',
  'an e-mail worker killed while servers accept its mails loses none and repeats at most 20 a kill',
  killWhileAnnounced('email', { kills: [40, 1], people: [10_000, 100] }),
  { inCi: true },
);

row(
  'push-kill',
  'a push worker killed repeatedly loses no push',
  killWhileAnnounced('push', { kills: [20, 3], people: [5_000, 300] }),
);

/** Registers everyone for an event. */
async function registered(school: School): Promise<string> {
  const event = await school.openEvent();
  await school.register(event, school.people);
  await waitForRest(world, [school]);
  return event;
}

row('sms-kill', 'an SMS worker killed repeatedly loses no cancellation', async ({ random, size, note }) => {
  const [kills, people] = [size(20, 2), size(1_000, 80)];
  const school = await openSchool(world, { people, random });
  const event = await registered(school);
  const nth = () => random.int(1, Math.floor((0.8 * people) / kills));
  const last = await killAgainAndAgain('sms', kills, nth, () => school.cancel(event));
  note({ kills });
  await expectPromises({ note }, world, school, { copies: { sms: COPIES_A_KILL * kills } }, last);
});

row(
  'sms-at-most-once',
  'an SMS worker killed repeatedly sends no routine SMS twice, and each has a known result',
  async ({ random, size, note }) => {
    const [kills, people] = [size(20, 2), size(1_000, 80)];
    const school = await openSchool(world, { people, random });
    const event = await registered(school);
    const before = world.twilio.count;
    // Without callbacks only a query to the provider returns the state of a message.
    world.twilio.callBack(() => []);
    const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms'] };
    const nth = () => random.int(1, Math.floor((0.8 * people) / kills));
    const last = await killAgainAndAgain('sms', kills, nth, () =>
      school.ask(`/api/v1/operations/events/${event}/registrations/messages`, message),
    );
    world.twilio.callBack(undefined);
    const tookMs = await waitForRest(world, [school], last);
    const received = world.accepted().flatMap((line) => (line.channel === 'sms' ? line.recipient : []));
    const ours = received.filter((phone) => school.people.some((person) => person.phone === phone));
    const copies = ours.length - new Set(ours).size;
    note({ kills, copies, 'at rest after': `${(tookMs / 1_000).toFixed(1)} s`, sent: world.twilio.count - before });
    expect(copies).toBe(0);
    const rows = await world.deliveries({ event_id: event, channel: 'sms', trigger: 'message' });
    const unclear = rows.filter(({ status, address, reason }) =>
      ours.includes(address ?? '') ? status !== 'sent' : status !== 'failed' || reason !== ('not_sent' as never),
    );
    expect(unclear.map(({ status, reason }) => `${status} ${reason}`)).toEqual([]);
  },
);

row(
  'fan-out-kill',
  'a relay and a fan-out worker killed repeatedly create every row once',
  async ({ random, size, note }) => {
    const [kills, people] = [size(30, 4), size(20_000, 1_500)];
    const school = await openSchool(world, { people, random });
    let event = '';
    const announced = school.announce().then((id) => {
      event = id;
    });
    const kill = (nth: number) => killAndReplace(world, nth % 2 === 0 ? 'fan-out' : 'relay');
    await meanwhile(announced, kills, kill, () => random.int(0, 400));
    note({ kills });
    await expectPromises({ note }, world, school);
    const rows = await world.database.collection('deliveries').countDocuments({ event_id: event } as never);
    expect(rows, 'rows for e-mail, push and in-app').toBe(3 * people);
  },
);

row(
  'fan-out-parts-kill',
  'fan-out workers killed while they draft parts of one announcement create every row once',
  async ({ size, note }) => {
    const [kills, people] = [size(20, 1), size(60_000, 6_000)];
    const scope = { tenant_id: newId(), school_id: 'school' };
    const ours = await world.inSchool(scope);
    const { database } = ours;
    const contacts = contactsOf(people, { email: null });
    await putPeople(ours, contacts);
    const school = { ...unnamedSchool(scope), channels: { 'event.published': ['in_app' as const] } };
    await schoolStore(database).put({ ...school, updated_at: new Date() });
    const event_id = await publishEvent(ours);
    const rows = database.collection('deliveries');
    const facts = database.collection('facts');
    for (let kill = 1; kill <= kills; kill += 1) {
      const drafted = (people * kill) / (kills + 1);
      await eventually('parts are drafted', async () => (await rows.countDocuments({ event_id })) >= drafted, 120_000);
      await killAndReplace(world, 'fan-out');
    }
    const isOpen = { event_id, relay: { $exists: true } };
    note({ kills, 'killed before the end': (await facts.countDocuments(isOpen)) > 0 ? 'yes' : 'no' });
    await eventually('the fact is processed', async () => (await facts.countDocuments(isOpen)) === 0, 120_000);
    expect(await rows.countDocuments({ event_id, status: 'sent' })).toBe(people);
    expect(await rows.distinct('user_id', { event_id })).toHaveLength(people);
    expect(await facts.findOne({ event_id, parts: { $exists: true } })).toBeNull();
  },
);
