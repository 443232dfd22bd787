import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { skipWait, untilIdle } from '../../faults/harness/checks.ts';
import {
  contactOf,
  contactsOf,
  draft,
  E,
  eventually,
  provideWorld,
  publishEvent,
  putPeople,
  SCHOOL,
} from '../../support/world.ts';

const PEOPLE = 16;
/** Their mails take a quarter of a minute. */
const MANY = 150;

// Slow enough that a change comes in the middle of an announcement.
const world = provideWorld({ env: { EMAIL_RATE: '10' } });
beforeAll(async () => {
  await putPeople(world, contactsOf(PEOPLE));
});

const mailsOf = (id: string) => world.accepted().filter((line) => line.event === id && line.channel === 'email');
const mailbox = (n: number) => `person-${n}@people.example`;

async function created(more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await world.call('POST', E, draft({ target_audience: ['students'], ...more }));
  expect(status).toBe(201);
  return String(body.id);
}

/** Makes a change that can be undone for some seconds, by default for none. @returns the id to undo it with */
async function change(id: string, action: string, { hold = 0, body }: Change = {}): Promise<string> {
  const [method, path] = action === 'delete' ? ['DELETE', ''] : ['POST', `/${action}`];
  const answer = await world.call(method, `${E}/${id}${path}?hold_seconds=${hold}`, body);
  expect(answer.status).toBe(200);
  return String((answer.body.undo as { change_id?: string } | undefined)?.change_id);
}
type Change = { hold?: number; body?: object };

async function undo(change_id: string): Promise<void> {
  expect((await world.call('POST', `/api/v1/operations/changes/${change_id}/undo`)).status).toBe(200);
}

/** Resolves when no change of the event can be undone and all its messages are finished. */
async function settled(id: string): Promise<void> {
  const held = { state: 'held', 'events.id': id } as never;
  await eventually('no change is held', async () => !(await world.database.collection('held_changes').findOne(held)));
  await untilIdle(world, { event_id: id });
}

const announcementsOf = (id: string) => mailsOf(id).filter(({ trigger }) => trigger === 'event.published');
const isUnderWay = (id: string) => eventually('some announcements are sent', () => announcementsOf(id).length > 3);

/** Checks that the announcement, and nothing else, reached everyone once. */
function expectAnnounced(id: string): void {
  const sent = mailsOf(id).map(({ trigger, recipient }) => `${trigger} ${recipient}`);
  expect(sent.sort()).toEqual(Array.from({ length: PEOPLE }, (_, n) => `event.published ${mailbox(n)}`).sort());
}

/** The triggers of an event's mails by mailbox, in order. */
function triggersByMailbox(id: string): Map<string, string[]> {
  const byMailbox = new Map<string, string[]>();
  for (const { recipient, trigger } of mailsOf(id))
    byMailbox.set(recipient, [...(byMailbox.get(recipient) ?? []), String(trigger)]);
  return byMailbox;
}

const STORM = { body: { reason: 'Storm' } };
const in20Days = () => new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);

// They share the rate of one provider, and mostly wait for it.
describe.concurrent('a change in the middle of an announcement', () => {
  test('publish, postpone and cancel within a second send one cancellation to each notified person and nothing to the others', async () => {
    const registrants = ['person-000001', 'person-000002'];
    const id = await created({ registration_type: 'optional' });
    await change(id, 'publish');
    for (const user_id of registrants)
      expect((await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id })).status).toBe(201);
    // Wait for the middle of the announcement; confirmations do not count.
    await isUnderWay(id);
    await change(id, 'postpone', { body: { new_start_date: in20Days(), reason: 'Rain' } });
    await change(id, 'cancel', STORM);
    await settled(id);

    const all = triggersByMailbox(id);
    const notified = [...all].filter(([, triggers]) => triggers.includes('event.published'));
    expect(notified.length).toBeGreaterThan(3);
    expect(notified.length).toBeLessThan(PEOPLE);
    for (const [recipient, triggers] of notified) {
      expect([recipient, triggers.filter((trigger) => trigger === 'event.cancelled')]).toEqual([
        recipient,
        ['event.cancelled'],
      ]);
      expect(triggers.at(-1)).toBe('event.cancelled');
    }
    // People who were not notified need no cancellation; registered people do.
    const others = [...all.keys()].filter((recipient) => !notified.some(([one]) => one === recipient));
    expect(others.filter((recipient) => recipient !== mailbox(1) && recipient !== mailbox(2))).toEqual([]);
    for (const n of [1, 2])
      expect(all.get(mailbox(n))?.filter((trigger) => trigger === 'event.cancelled')).toEqual(['event.cancelled']);
    const skipped = Array.from({ length: PEOPLE }, (_, n) => n).find((n) => !all.has(mailbox(n))) ?? -1;
    const { user_id } = contactOf(skipped);
    const { body } = await world.call('GET', `${E}/${id}/deliveries?user_id=${user_id}`);
    const reasons = (body.why as unknown as { channel: string; trigger: string; reason: string }[])
      .filter(({ channel, trigger }) => channel === 'email' && trigger !== 'event.postponed')
      .map(({ trigger, reason }) => `${trigger} ${reason}`);
    expect(reasons).toHaveLength(2);
    expect(reasons).toContain('event.published event_state');
    // A person whose announcement was stopped at the last moment has a row with the reason.
    expect(reasons.join()).toMatch(/event.cancelled (not_announced|never_told)/);
  });

  test('an event without registration sends its cancellation to everyone it was announced to, at the same address', async () => {
    const class_id = randomUUID();
    const id = await created({ registration_type: 'none', target_audience: ['staff'], class_id });
    const teacher = (n: number) => contactOf(n, { roles: ['staff'], class_ids: [class_id] });
    const staff = [901, 902, 903].map(teacher);
    await putPeople(world, staff);
    await change(id, 'publish');
    await settled(id);
    expect(triggersByMailbox(id).size).toBe(3);
    await putPeople(world, [teacher(904)]);
    const preview = await world.call('POST', `${E}/${id}/cancel?dry_run=true`, STORM.body);
    expect(preview.body).toMatchObject({ people: 3, audience: { email: { told: 3 }, in_app: { told: 3 } } });
    await change(id, 'cancel', STORM);
    await settled(id);
    const both = ['event.published', 'event.cancelled'];
    expect(triggersByMailbox(id)).toEqual(new Map([901, 902, 903].map((n) => [mailbox(n), both])));
    const rows = await world.deliveries({ event_id: id, trigger: 'event.cancelled', ...SCHOOL, channel: 'sms' });
    expect(rows).toEqual([]);
  });

  test('a date corrected in the middle of an announcement is sent to the people who got the wrong date', async () => {
    const id = await created({ registration_type: 'optional' });
    await change(id, 'publish');
    await isUnderWay(id);
    const before = new Set(mailsOf(id).map(({ recipient }) => recipient));
    expect((await world.call('PATCH', `${E}/${id}`, { start_time: '17:00' })).status).toBe(200);
    await eventually('all are notified', () => triggersByMailbox(id).size >= PEOPLE);
    // The notice still waits for further edits; its recipients are known already.
    const waiting = await world.deliveries({ event_id: id, trigger: 'event.changed', channel: 'email' });
    const corrected = new Set(waiting.map(({ address }) => address));
    for (const recipient of before) expect(corrected).toContain(recipient);
    expect(corrected.size).toBeLessThan(PEOPLE);
  });

  test.each(['cancel', 'delete'])(
    'an announcement under way reaches everyone once if the event’s %s is undone',
    async (action) => {
      const id = await created();
      await change(id, 'publish');
      await isUnderWay(id);
      const change_id = await change(id, action, { hold: 30, ...(action === 'cancel' ? STORM : {}) });
      const waiting = { event_id: id, detail: 'the last change of the event can be undone' };
      await eventually('messages wait for the undo', async () => (await world.deliveries(waiting)).length > 0);
      expect(mailsOf(id).length).toBeLessThan(PEOPLE);
      await undo(change_id);
      // They would wait until the change could no longer be undone.
      await skipWait(world, { event_id: id });
      await settled(id);
      expectAnnounced(id);
    },
  );

  test('a publication that is undone sends nothing, and the next one reaches everyone once', async () => {
    const id = await created();
    await undo(await change(id, 'publish', { hold: 3 }));
    // Due after the first one would have been. Its messages have the new place, so no one gets a notice of it.
    await change(id, 'publish', { hold: 3 });
    expect((await world.call('PATCH', `${E}/${id}`, { location_name: 'Gym' })).status).toBe(200);
    await settled(id);
    expectAnnounced(id);
  });
});

test('a cancellation overtakes a hundred announcements, of another tenant and of its own', async () => {
  const schools = await Promise.all(
    ['large', 'small'].map((name) => world.inSchool({ tenant_id: `tenant-${name}`, school_id: name })),
  );
  const [large = world] = schools;
  await putPeople(large, contactsOf(MANY));
  const cancelled = await Promise.all(
    schools.map(async (school) => {
      const adam = contactOf(0, {
        user_id: 'adam',
        roles: ['external'],
        email: `adam@${school.scope.school_id}.example`,
      });
      await putPeople(school, [adam]);
      const silent = { registration_type: 'optional', visibility: 'public', send_notifications: false };
      const id = await publishEvent(school, silent);
      const registration = { kind: 'attendee', user_id: adam.user_id };
      expect((await school.call('POST', `${E}/${id}/registrations`, registration)).status).toBe(201);
      return { school, id };
    }),
  );
  const bulk = await publishEvent(large);
  await isUnderWay(bulk);
  for (const { school, id } of cancelled)
    expect((await school.call('POST', `${E}/${id}/cancel`, { reason: 'Storm', notify: true })).status).toBe(200);
  const arrived = ({ id }: { id: string }) => mailsOf(id).some(({ trigger }) => trigger === 'event.cancelled');
  await eventually('both cancellations arrive', () => cancelled.every(arrived), 90_000);
  const waiting = await world.deliveries({ event_id: bulk, channel: 'email', status: 'waiting' });
  expect(waiting.length).toBeGreaterThan(MANY / 4);
});

describe('while every worker is dead', () => {
  /** Published before the workers were killed, and due before the next one starts. */
  let held: string;
  /** Published and taken back while there was no worker. */
  let takenBack: string;
  let unpublication: string;
  beforeAll(async () => {
    held = await created();
    takenBack = await created();
    await change(held, 'publish', { hold: 2 });
    const running = world.processes.filter((one) => one.name === 'all');
    for (const one of running) one.send('SIGKILL');
    await eventually('they are dead', () => running.every((one) => !one.isRunning));
    const changes = world.database.collection('held_changes');
    const due = () => ({ 'events.id': held, release_at: { $lt: new Date() } }) as never;
    await eventually('it is due', async () => (await changes.countDocuments(due())) > 0);
    expect(mailsOf(held)).toEqual([]);
    await change(takenBack, 'publish');
    unpublication = await change(takenBack, 'unpublish', { hold: 20 });
    // Nothing changes in the middle of these announcements.
    await world.start('all', { EMAIL_RATE: '1000' });
  });

  test('an announcement that no worker has begun reaches everyone once if the event’s unpublish is undone', async () => {
    // The fan-out would find no one who may see a draft.
    const fact = { event_id: takenBack, type: 'event.published' } as const;
    const facts = world.database.collection('facts');
    await eventually('a worker has had the fact', async () => (await facts.findOne(fact))?.handed_on_at !== undefined);
    await undo(unpublication);
    await settled(takenBack);
    expectAnnounced(takenBack);
  });

  test('a held publication is sent once', async () => {
    await settled(held);
    expectAnnounced(held);
  });
});
