import { beforeEach, expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { PRIORITIES } from '../../../src/core/priority.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { instantsOf } from '../../../src/events/rules/schedule.ts';
import type { Slot } from '../../../src/events/rules/slots.ts';
import type { ChannelAdapter } from '../../../src/notifications/channel-adapter.ts';
import { type DeliverDeps, deliver } from '../../../src/notifications/delivery/deliver.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import type { DeliveryJob } from '../../../src/notifications/ports.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { syncPlans } from '../../../src/reminders/plan-reminders.ts';
import { AHEAD_MS, raiseDue } from '../../../src/reminders/raise-due.ts';
import { anEvent, aRegistration } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { fanOutParts, workerParts } from '../../support/message-builders.ts';
import { withMovedClock } from '../../support/moved-clock.ts';
import { contactOf } from '../../support/world.ts';

// Reminders are raised some seconds early so that their messages are prepared when they are due. A change of the event or its
// people in between must count as if the messages had been drafted at the due time.
const DUE = new Date('2026-10-16T17:00:00Z');
const REMINDER = { type: 'email', offset: 60 } as const;
const scope = { tenant_id: 'tenant-1', school_id: 'school-1' };
const now = { at: DUE };
const clock = { now: () => now.at };
const before = (ms: number) => new Date(DUE.getTime() - ms);
let event: SchoolEvent;
let jobs: DeliveryJob[];
let sent: string[];

const database = await emptyDatabase();
const stores = storesOn(withMovedClock(database, clock));
const contactIn = (n: number, more: Partial<Contact> = {}) =>
  contactOf(n, { ...scope, user_id: `person-${n}`, ...more });
const child = { roles: ['student'], email: null, guardians: ['person-1'] } satisfies Partial<Contact>;
await stores.contacts.putMany([contactIn(0), contactIn(1), contactIn(2, child), contactIn(3, child)]);

const deliveryQueue = {
  add: async (_: string, more: readonly DeliveryJob[]) => void jobs.push(...more),
  depth: async () => ({ urgent: 0, bulk: 0, later: 0 }),
};
const fanOutDeps = () => ({
  ...stores,
  ...fanOutParts,
  deliveryQueue,
  openChannels: new Set(['email', 'in_app'] as const),
});
const fanOutAll = async () => {
  const deps = fanOutDeps();
  for (const priority of PRIORITIES)
    for (const { id } of await stores.facts.findUnpublished(priority, 9)) await fanOut(deps, id);
};
const rowsOf = async () =>
  (await stores.deliveries.listOfEvent(scope, event.id, { limit: 9 })).filter(
    (row) => row.trigger === 'reminder.due' && row.channel === 'email',
  );
/** Runs the e-mail worker's code on these rows, now. */
async function deliverNow(rows: readonly Delivery[], more: Partial<DeliverDeps> = {}): Promise<void> {
  const adapter: ChannelAdapter = {
    channel: 'email',
    capacity: 20,
    breakers: () => [],
    close: async () => {},
    send: async ({ delivery }) => {
      sent.push(delivery.user_id);
      return { kind: 'accepted' };
    },
  };
  const pause = async (ms: number) => {
    now.at = new Date(now.at.getTime() + ms);
  };
  const ids = rows.map(({ id }) => id);
  await deliver({ ...stores, ...workerParts(adapter), pause, ...more }, { ids, urgent: false });
}
const change = (more: Partial<SchoolEvent>) =>
  database.collection('events').updateOne({ _id: event.id } as never, { $set: more as never });
const register = (n: number, slots: Slot[] = []) =>
  database.transact(async (tx) => {
    const user_id = `person-${n}`;
    const registration = aRegistration({ ...scope, id: `place-${n}`, event_id: event.id, user_id, slots });
    await stores.registrations.insertMany([registration], tx);
    const data = { registration_id: registration.id, user_id, confirmation: 1 };
    const said = { ...scope, event_id: event.id, occurred_at: now.at, actor: 'system' } as const;
    await stores.facts.record([{ ...said, type: 'registration.confirmed', data }], tx);
  });

/** Ten seconds before its due time the reminder is raised, and its message is drafted and queued. */
beforeEach(async () => {
  const written = [
    'events',
    'facts',
    'reminders',
    'deliveries',
    'registrations',
    'preferences',
    'suppressions',
  ] as const;
  for (const name of written) await database.collection(name).deleteMany({});
  [jobs, sent, now.at] = [[], [], before(3_600_000)];
  const dates = { start_date: '2026-10-16', end_date: '2026-10-16', start_time: '18:00', end_time: '20:00' };
  event = anEvent({ ...scope, ...dates, timezone: 'UTC', reminders: [REMINDER], current_attendees: 1 });
  event = { ...event, ...instantsOf(event) };
  await stores.transact(async (tx) => {
    await stores.events.insert([event], tx);
    await syncPlans(stores, [event], tx);
  });
  await register(0);
  await fanOutAll();
  now.at = before(AHEAD_MS + 1);
  expect(await raiseDue(stores)).toBe(0);
  now.at = before(AHEAD_MS);
  expect(await raiseDue(stores)).toBe(1);
  jobs = [];
  await fanOutAll();
});

test('a prepared reminder stays in its queue until it is due, and is sent then', async () => {
  const rows = await rowsOf();
  expect(rows.map(({ status, due_at, queued_at }) => ({ status, due_at, queued_at }))).toEqual([
    { status: 'waiting', due_at: DUE, queued_at: DUE },
  ]);
  expect(jobs.map(({ ids, afterMs }) => [ids, afterMs])).toEqual([[rows.map(({ id }) => id), AHEAD_MS]]);
  // Before it is due the sweep does not take it for lost.
  now.at = before(3_000);
  expect(await stores.deliveries.requeueLost(['email'], false, 2_000)).toBe(0);
  expect(await stores.deliveries.takeForQueue('email', false, scope.tenant_id, 9)).toEqual([]);
  // An early wake-up waits for up to two seconds; an earlier one does nothing.
  now.at = before(8_000);
  await deliverNow(rows);
  expect(sent).toEqual([]);
  now.at = before(1_500);
  await deliverNow(rows);
  expect([sent, now.at]).toEqual([['person-0'], DUE]);
});

test('a reminder whose wake-up is lost is queued again two seconds after it is due', async () => {
  now.at = new Date(DUE.getTime() + 2_001);
  expect(await stores.deliveries.requeueLost(['email'], false, 2_000)).toBe(1);
  expect(await stores.deliveries.takeForQueue('email', false, scope.tenant_id, 9)).toHaveLength(1);
});

test.each([
  ['postponed', { status: 'postponed', schedule_version: 99 }, 'event_state'],
  ['moved', { schedule_version: 99 }, 'schedule_changed'],
  ['cancelled', { status: 'cancelled' }, 'event_state'],
  ['unpublished', { status: 'draft' }, 'event_state'],
  ['silenced', { send_notifications: false }, 'notifications_off'],
  ['without this reminder', { reminders: [] }, 'reminder_removed'],
] as [string, Partial<SchoolEvent>, string][])(
  'an event that is %s in between sends no reminder',
  async (_, more, reason) => {
    await change(more);
    now.at = DUE;
    await deliverNow(await rowsOf());
    expect(sent).toEqual([]);
    expect((await rowsOf()).map((row) => [row.status, row.reason])).toEqual([['skipped', reason]]);
  },
);

test.each<[string, () => Promise<unknown>]>([
  ['opted out', () => stores.preferences.addOptOut(scope, 'person-0', '*:email')],
  [
    'complained about an e-mail',
    async () => {
      const [row] = await rowsOf();
      await stores.suppressions.add(scope, 'email', row?.address ?? '', { kind: 'complained', why: 'spam' });
    },
  ],
])('a person who has %s while the job waits for the rate limit gets nothing', async (_, change) => {
  now.at = DUE;
  const acquireRate = async () => change().then(() => true);
  await deliverNow(await rowsOf(), { acquireRate });
  expect(sent).toEqual([]);
  expect((await rowsOf()).map(({ status }) => status)).toEqual(['skipped']);
});

test('a person confirmed in between is reminded once, and one confirmed after the due time is not', async () => {
  now.at = before(4_000);
  await register(1);
  await fanOutAll();
  const rows = await rowsOf();
  expect(rows.map(({ user_id, due_at }) => [user_id, due_at]).sort()).toEqual([
    ['person-0', DUE],
    ['person-1', DUE],
  ]);
  now.at = DUE;
  await deliverNow(rows);
  expect(sent.sort()).toEqual(['person-0', 'person-1']);

  now.at = new Date(DUE.getTime() + 1);
  await database.collection('registrations').deleteMany({});
  await database.collection('deliveries').deleteMany({});
  await register(1);
  await fanOutAll();
  expect(await rowsOf()).toEqual([]);
});

test('an event whose notifications are switched on before the due time sends its reminder', async () => {
  await database.collection('deliveries').deleteMany({});
  await change({ send_notifications: false });
  await database.collection('reminders').updateMany({}, { $set: { status: 'planned' } });
  await raiseDue(stores);
  await fanOutAll();
  expect((await rowsOf()).map(({ status }) => status)).toEqual(['waiting']);
  await change({ send_notifications: true });
  now.at = DUE;
  await deliverNow(await rowsOf());
  expect(sent).toEqual(['person-0']);
});

// The evening begins at 18:00, an hour after DUE; the chosen meeting at 19:00.
const EVENING = { length_minutes: 20, hosts: [{ user_id: 'jana', name: 'Jana Dvořáková' }] };
const CHOSEN = [{ host_user_id: 'jana', minute: 60 }];
const later = (minutes: number) => new Date(DUE.getTime() + minutes * 60_000);

test.each(['before', 'after'])(
  'a reminder of a time chosen %s it was raised is sent an hour before that time',
  async (when) => {
    await change({ slots: EVENING });
    await register(1, CHOSEN);
    if (when === 'after') await fanOutAll();
    else {
      const [raised] = await stores.facts.listOfEvent(scope, event.id, { types: ['reminder.due'], limit: 1 });
      await fanOut(fanOutDeps(), raised?.id ?? '');
    }
    const own = (await rowsOf()).filter(({ user_id }) => user_id === 'person-1');
    expect(own).toMatchObject([{ status: 'waiting', due_at: later(60), expires_at: later(120) }]);
    await change({ status: 'in_progress' });
    now.at = later(60);
    await deliverNow(own);
    expect(sent).toEqual(['person-1']);
  },
);

test('a reminder of a time chosen after the others were sent is sent an hour before that time, unless that has passed', async () => {
  await change({ slots: EVENING });
  now.at = later(30);
  await register(1, CHOSEN);
  await fanOutAll();
  const own = async () => (await rowsOf()).filter(({ user_id }) => user_id === 'person-1');
  expect(await own()).toMatchObject([{ status: 'waiting', due_at: later(60) }]);

  await database.collection('registrations').deleteMany({});
  await database.collection('deliveries').deleteMany({});
  now.at = later(61);
  await register(1, CHOSEN);
  await fanOutAll();
  expect(await own()).toEqual([]);
});

test('a reminder that waits is due before the first time of all that were chosen since', async () => {
  const at = (minute: number) => [{ host_user_id: 'jana', minute }];
  await change({ slots: EVENING });
  await register(2, at(80));
  await fanOutAll();
  await register(3, at(60));
  await fanOutAll();
  const rows = async () => (await rowsOf()).filter(({ user_id }) => user_id === 'person-1');
  const children = [{ user_id: 'person-2' }, { user_id: 'person-3' }];
  expect(await rows()).toMatchObject([{ due_at: later(60), on_behalf_of: children }]);

  await database.collection('registrations').deleteMany({});
  await register(3, at(40));
  await fanOutAll();
  expect(await rows()).toMatchObject([{ due_at: later(40), on_behalf_of: children }]);
});

test('a reminder is not sent after the time that was chosen instead', async () => {
  await change({ slots: EVENING });
  await register(1, CHOSEN);
  await fanOutAll();
  const earlier = { slots: [{ host_user_id: 'jana', minute: 0 }] };
  await database.collection('registrations').updateOne({ _id: 'place-1' } as never, { $set: earlier as never });
  now.at = later(60);
  await deliverNow((await rowsOf()).filter(({ user_id }) => user_id === 'person-1'));
  const [row] = (await rowsOf()).filter(({ user_id }) => user_id === 'person-1');
  expect([sent, row?.status, row?.reason]).toEqual([[], 'skipped', 'expired']);
});
