import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { type FanOutDeps, fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import {
  draftDeliveries,
  mergedRow,
  type Occasion,
  oneRowPerKey,
  type People,
} from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Recipient } from '../../../src/notifications/policy/recipients.ts';
import { CHANNELS, type Channel, triggerOf } from '../../../src/notifications/policy/trigger.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import type { Contact } from '../../../src/people/contact.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import {
  aContact,
  aFact,
  anEvent,
  aRegistration,
  aSchool,
  at,
  inAppParts,
  NOW,
  SCOPE,
} from '../../support/builders.ts';

const ALL = new Set(CHANNELS);

function occasion(fact: Fact, more: Partial<SchoolEvent> = {}, rest: Partial<Occasion> = {}): Occasion {
  const trigger = triggerOf(fact);
  if (!trigger) throw new Error(`${fact.type} has no trigger`);
  return { fact, trigger, event: anEvent(more), school: aSchool(), openChannels: ALL, ...rest };
}

const NO_PEOPLE: People = { guardiansOf: () => [], hasPush: () => false, localeOf: () => null };

const to = (user_id: string, contact: Partial<Contact> | null = {}, more: Partial<Recipient> = {}): Recipient => ({
  user_id,
  contact: contact && aContact(user_id, { email: `${user_id}@people.example`, phone: '+420601000001', ...contact }),
  registration_id: `registration-${user_id}`,
  confirmation: 1,
  snapshot: null,
  registered_by: null,
  ...more,
});

const draft = (about: Occasion, recipients: Recipient[], people: Partial<People> = {}, now = NOW) =>
  draftDeliveries(about, recipients, { ...NO_PEOPLE, ...people }, now);
const ids = (rows: readonly Delivery[]) => rows.map((row) => row.id);
const brief = (rows: readonly Delivery[]) =>
  rows.map(({ user_id, channel, status, reason }) => [user_id, channel, status, reason]);

const CANCELLED = occasion(aFact('event.cancelled'));

describe('every recipient has a row', () => {
  test('each person has a row per channel of the trigger', () => {
    expect(brief(draft(CANCELLED, [to('eva'), to('jan')], { hasPush: () => true }))).toEqual([
      ['eva', 'email', 'waiting', null],
      ['eva', 'sms', 'waiting', null],
      ['eva', 'push', 'waiting', null],
      ['eva', 'in_app', 'waiting', null],
      ['jan', 'email', 'waiting', null],
      ['jan', 'sms', 'waiting', null],
      ['jan', 'push', 'waiting', null],
      ['jan', 'in_app', 'waiting', null],
    ]);
  });

  test('records a missing address and still writes to the inbox', () => {
    expect(brief(draft(CANCELLED, [to('eva', { email: null, phone: null }), to('ghost', null)]))).toEqual([
      ['eva', 'email', 'skipped', 'no_contact'],
      ['eva', 'sms', 'skipped', 'no_contact'],
      ['eva', 'push', 'skipped', 'no_contact'],
      ['eva', 'in_app', 'waiting', null],
      ['ghost', 'email', 'skipped', 'no_contact'],
      ['ghost', 'sms', 'skipped', 'no_contact'],
      ['ghost', 'push', 'skipped', 'no_contact'],
      ['ghost', 'in_app', 'waiting', null],
    ]);
  });

  test('records a channel without settings', () => {
    const about = occasion(aFact('event.cancelled'), {}, { openChannels: new Set(['in_app', 'push']) });
    expect(brief(draft(about, [to('eva')], { hasPush: () => true }))).toEqual([
      ['eva', 'email', 'skipped', 'channel_off'],
      ['eva', 'sms', 'skipped', 'channel_off'],
      ['eva', 'push', 'waiting', null],
      ['eva', 'in_app', 'waiting', null],
    ]);
  });

  test('records each person and channel for an event with notifications off', () => {
    const about = occasion(aFact('event.published'), { send_notifications: false });
    expect(brief(draft(about, [to('eva')]))).toEqual([
      ['eva', 'email', 'skipped', 'notifications_off'],
      ['eva', 'push', 'skipped', 'notifications_off'],
      ['eva', 'in_app', 'skipped', 'notifications_off'],
    ]);
  });

  test.each([
    [false, true, 'waiting'],
    [true, false, 'skipped'],
  ])('send_notifications %s, notify %s: %s', (send_notifications, notify, status) => {
    const about = occasion(aFact('event.cancelled', { notify }), { send_notifications });
    expect(draft(about, [to('eva')])[0]?.status).toBe(status);
  });

  test('puts every recipient in a row, as reader or as subject', () => {
    const contacts = fc.record({
      email: fc.constantFrom(null, 'shared@people.example', 'own@people.example'),
      phone: fc.constantFrom(null, '+420601000001'),
    });
    const mother = aContact('mother', { roles: ['parent'], email: 'mother@people.example' });
    fc.assert(
      fc.property(fc.array(contacts, { maxLength: 5 }), fc.boolean(), fc.boolean(), (people, guarded, on) => {
        const recipients = people.map((contact, i) => to(`person-${i}`, contact));
        const about = occasion(aFact('event.cancelled'), { send_notifications: on });
        const rows = draft(about, recipients, { guardiansOf: () => (guarded ? [mother] : []) });
        for (const { user_id } of recipients) {
          for (const channel of ['email', 'sms', 'push', 'in_app']) {
            const own = rows.filter(
              (row) =>
                row.channel === channel &&
                (row.user_id === user_id || row.on_behalf_of.some((child) => child.user_id === user_id)),
            );
            expect(own.length).toBeGreaterThan(0);
            for (const row of own) expect(row.status === 'skipped').toBe(row.reason !== null);
          }
        }
      }),
    );
  });
});

describe('a row', () => {
  test('has all data for sending and no attempts', () => {
    const about = occasion(aFact('event.cancelled', { sequence: 5 }, { id: 'fact-9' }), {
      status: 'cancelled',
      sequence: 5,
      schedule_version: 3,
    });
    const [row] = draft(about, [to('eva', { name: 'Eva', locale: 'en', timezone: 'Asia/Tokyo' })]);
    expect(row).toEqual({
      ...SCOPE,
      held_until: null,
      digest_key: null,
      digest_id: null,
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      event_id: 'event-1',
      fact_id: 'fact-9',
      trigger: 'event.cancelled',
      channel: 'email',
      fallback: null,
      urgent: true,
      user_id: 'eva',
      given_by: null,
      address_owners: [],
      on_behalf_of: [],
      also: [],
      name: 'Eva',
      address: 'eva@people.example',
      locale: 'en',
      timezone: 'Asia/Tokyo',
      registration_ids: ['registration-eva'],
      schedule_version: 3,
      sequence: 5,
      status: 'waiting',
      reason: null,
      detail: null,
      due_at: NOW,
      expires_at: null,
      queued_at: null,
      claim: null,
      lease_until: null,
      fence: 0,
      attempts: 0,
      errors: 0,
      crashes: 0,
      repeated: false,
      provider: null,
      redriven_at: null,
      provider_id: null,
      template_version: null,
      title: null,
      body: null,
      created_at: NOW,
      settled_at: null,
    });
  });

  test('has the person’s own language, else the directory’s, else the school’s', () => {
    const wishes = (locale: 'en' | null) => ({ localeOf: () => locale });
    expect(draft(CANCELLED, [to('eva', { locale: 'cs' })], wishes('en'))[0]?.locale).toBe('en');
    expect(draft(CANCELLED, [to('eva', { locale: 'en' })], wishes(null))[0]?.locale).toBe('en');
    expect(draft(CANCELLED, [to('eva')], wishes(null))[0]?.locale).toBe('cs');
  });

  test('has the schedule version of its fact, not of the current event', () => {
    const moved = { schedule_version: 9 };
    const versionIn = (fact: Fact) => draft(occasion(fact, moved), [to('eva')])[0]?.schedule_version;
    expect(versionIn(aFact('reminder.due', { schedule_version: 3 }))).toBe(3);
    expect(versionIn(aFact('event.started', { schedule_version: 3 }))).toBe(3);
    expect(versionIn(aFact('event.postponed', { schedule_version: 3 }))).toBe(3);
    expect(versionIn(aFact('event.changed', { schedule_version: 3 }))).toBe(3);
  });

  test('expires with its subject', () => {
    const expires = (fact: Fact) => draft(occasion(fact), [to('eva')])[0]?.expires_at;
    expect(expires(aFact('reminder.due'))).toEqual(at('2026-10-16T18:00:00Z'));
    expect(expires(aFact('event.started'))).toEqual(at('2026-10-16T18:15:00Z'));
    expect(expires(aFact('event.cancelled'))).toBeNull();
  });
});

const FACTS: [string, Fact][] = [
  ['event.published', aFact('event.published')],
  ['event.cancelled', aFact('event.cancelled')],
  ['event.postponed', aFact('event.postponed')],
  ['event.changed', aFact('event.changed')],
  ['registration.confirmed', aFact('registration.confirmed')],
  ['reminder.due', aFact('reminder.due')],
  ['event.started', aFact('event.started')],
];

describe('keys', () => {
  const PEOPLE = [to('eva'), to('jan', { phone: '+420601000002' }), to('ida', { email: null, phone: null })];

  test.each(FACTS)('of %s are the same in every draft', (_, fact) => {
    const first = ids(draft(occasion(fact), PEOPLE, { hasPush: () => true }));
    const later = occasion(fact, { version: 99, title: 'Winter concert', updated_at: NOW });
    const again = draft(later, [...PEOPLE].reverse(), { hasPush: () => true }, at('2026-09-02T00:00:00Z'));
    expect(ids(again).sort()).toEqual([...first].sort());
    expect(new Set(first).size).toBe(first.length);
  });

  test.each(FACTS)('of %s do not depend on the rest of the batch', (_, fact) => {
    const alone = PEOPLE.flatMap((person) => ids(draft(occasion(fact), [person])));
    expect(ids(draft(occasion(fact), PEOPLE))).toEqual(alone);
  });

  const firstId = (fact: Fact, recipient = to('eva')) => draft(occasion(fact), [recipient])[0]?.id;

  test.each<[string, Fact, Fact]>([
    ['published again', aFact('event.published'), aFact('event.published', { sequence: 3 })],
    ['postponed again', aFact('event.postponed'), aFact('event.postponed', { sequence: 3 })],
    ['changed again', aFact('event.changed'), aFact('event.changed', { sequence: 3 })],
    ['another reminder', aFact('reminder.due'), aFact('reminder.due', { offset: 15 })],
    ['a reminder of a moved event', aFact('reminder.due'), aFact('reminder.due', { schedule_version: 4 })],
    ['the start of a moved event', aFact('event.started'), aFact('event.started', { schedule_version: 4 })],
  ])('%s is another message', (_, one, other) => {
    expect(firstId(other)).not.toBe(firstId(one));
  });

  test('a fact recorded twice is the same message', () => {
    expect(firstId(aFact('reminder.due', {}, { id: 'fact-2' }))).toBe(firstId(aFact('reminder.due')));
    expect(firstId(aFact('event.cancelled', {}, { id: 'fact-2' }))).toBe(firstId(aFact('event.cancelled')));
  });

  test('differ for each confirmation of a registration', () => {
    const fact = aFact('registration.confirmed');
    const confirmed = (confirmation: number, registration_id = 'r1') =>
      firstId(fact, to('eva', {}, { registration_id, confirmation }));
    expect(confirmed(1)).toBe(confirmed(1));
    expect(confirmed(2)).not.toBe(confirmed(1));
    expect(confirmed(1, 'r2')).not.toBe(confirmed(1));
  });

  test('are the same for two spellings of one address', () => {
    const spelled = (email: string) => firstId(aFact('event.cancelled'), to('eva', { email }));
    expect(spelled(' Family@People.Example')).toBe(spelled('family@people.example'));
  });

  test('are shared by two people of one address, whose second row has its own key', () => {
    const shared = { email: 'family@people.example' };
    const [eva] = draft(CANCELLED, [to('eva', shared)]);
    const [jan] = draft(CANCELLED, [to('jan', shared)]);
    if (!eva || !jan) throw new Error('no rows');
    expect(jan.id).toBe(eva.id);
    const record = mergedRow(jan, NOW);
    expect(record).toMatchObject({ user_id: 'jan', status: 'skipped', reason: 'same_address', settled_at: NOW });
    expect(record.id).not.toBe(jan.id);
    expect(mergedRow(jan, at('2026-09-02T00:00:00Z')).id).toBe(record.id);
    expect(mergedRow({ ...jan, user_id: 'ida' }, NOW).id).not.toBe(record.id);
  });
});

/** The fan-out on stores that are lists: the rows of drafts that share an address. */
function school(contacts: Contact[], registrations: Registration[] = []) {
  const rows = new Map<string, Delivery>();
  const fact = aFact(registrations.length > 0 ? 'event.cancelled' : 'event.published');
  const event = anEvent({ status: registrations.length > 0 ? 'cancelled' : 'published' });
  const deps = {
    ...inAppParts,
    inbox: { signalArrivals: async () => {} },
    clock: { now: () => NOW },
    facts: {
      findWithParts: async () => ({ fact, parts: [] }),
      markProcessed: async () => {},
    },
    events: { findAnywhere: async () => event, findMany: async () => [event] },
    schools: { find: async () => aSchool() },
    contacts: {
      pageAfter: async () => contacts,
      childrenOf: async () => [],
      findMany: async (_: unknown, wanted: string[]) => contacts.filter(({ user_id }) => wanted.includes(user_id)),
    },
    registrations: { pageAfter: async () => registrations, findStatuses: async () => registrations },
    preferences: { findMany: async () => [] },
    pushSubscriptions: { findMany: async () => [] },
    deliveries: {
      listAnnouncements: async () => [],
      listNotifiedSince: async () => [],
      isBeingAnnounced: async () => false,
      findOtherAnnouncements: async () => [],
      findInFlight: async () => [],
      insertMany: async (drafts: Delivery[]) => {
        const collided = drafts.flatMap(({ id }) => rows.get(id) ?? []);
        for (const row of drafts) if (!rows.has(row.id)) rows.set(row.id, row);
        return { collided };
      },
    },
    deliveryQueue: { depth: async () => ({ urgent: 0, bulk: 0, active: 0, later: 0 }), add: async () => {} },
    openChannels: ALL,
  } as unknown as FanOutDeps;
  return {
    fanOut: () => fanOut(deps, fact.id),
    byEmail: () => [...rows.values()].filter((row) => row.channel === 'email'),
    ids: () => [...rows.keys()].sort(),
  };
}

describe('one address', () => {
  const family = ['eva', 'jan', 'ida'].map((id) => aContact(id, { email: 'family@people.example' }));
  const guarded = ['eva', 'jan'].map((id) => aContact(id, { name: id, guardians: ['mother'] }));
  const mother = aContact('mother', { name: 'Mother', roles: ['parent'], email: 'mother@people.example' });
  const registered = ['eva', 'jan'].map((user_id) => aRegistration({ id: `registration-${user_id}`, user_id }));

  test('of several people gets one message', async () => {
    const { fanOut: run, byEmail } = school(family);
    await run();
    expect(byEmail().filter((row) => row.status === 'waiting')).toHaveLength(1);
  });

  test('of two guardians gets one message', async () => {
    const father = { ...mother, user_id: 'father', name: 'Father' };
    const eva = aContact('eva', { guardians: ['mother', 'father'] });
    const { fanOut: run, byEmail } = school([eva, mother, father], registered.slice(0, 1));
    await run();
    expect(byEmail().filter((row) => row.status === 'waiting')).toHaveLength(1);
  });

  // Promise 1: "everyone it concerns gets their message, or a row says why not".
  test('of several people has a row for each of them', async () => {
    const { fanOut: run, byEmail } = school(family);
    await run();
    expect(new Set(byEmail().map((row) => row.user_id))).toEqual(new Set(['eva', 'jan', 'ida']));
  });

  // delivery.md "Faults to survive": "facts replayed from the start | nothing changes".
  test('of several people is unchanged after a fact is replayed from the start', async () => {
    const { fanOut: run, ids: rows } = school(family);
    await run();
    const before = rows();
    await run();
    expect(rows()).toEqual(before);
  });

  test('of a guardian of siblings gets one message', async () => {
    const { fanOut: run, byEmail } = school([...guarded, mother], registered);
    await run();
    expect(byEmail().map((row) => [row.user_id, row.status])).toEqual([['mother', 'waiting']]);
  });

  // message.ts: "those it is about, when not the reader, e.g. `Eva, Jan`"; promise 1 again.
  test('of a guardian of siblings gets a message about both', async () => {
    const { fanOut: run, byEmail } = school([...guarded, mother], registered);
    await run();
    const about = byEmail().flatMap((row) => row.on_behalf_of.map((child) => child.user_id));
    expect(about.sort()).toEqual(['eva', 'jan']);
  });
});

describe('a channel with a fallback', () => {
  const chosen = (channels: string[]) => aSchool({ channels: { 'event.published': channels } });
  const person = to('eva', { phone: '+420601123456' });
  const rowsFor = (channels: string[], { opted_out = [] as string[], off = [] as Channel[] } = {}) => {
    const openChannels = new Set([...CHANNELS].filter((channel) => !off.includes(channel)));
    const about = { ...occasion(aFact('event.published'), {}, { school: chosen(channels) }), openChannels };
    const rows = draft(about, [person], { wishes: new Map([['eva', opted_out]]) });
    return rows.map(({ channel, fallback, status, reason }) => [channel, fallback, reason ?? status]);
  };

  test('takes its message, and the fallback gets none, if a school chose both', () => {
    expect(rowsFor(['sms', 'whatsapp'])).toEqual([['whatsapp', 'sms', 'waiting']]);
  });

  test('has none if the school chose only one of them', () => {
    expect(rowsFor(['whatsapp'])).toEqual([['whatsapp', null, 'waiting']]);
    expect(rowsFor(['sms'])).toEqual([['sms', null, 'waiting']]);
  });

  test('leaves the message to the fallback for people who turned it off', () => {
    expect(rowsFor(['sms', 'whatsapp'], { opted_out: ['event.published:whatsapp'] })).toEqual([
      ['sms', null, 'waiting'],
    ]);
    expect(rowsFor(['whatsapp'], { opted_out: ['*:whatsapp'] })).toEqual([['whatsapp', null, 'waiting']]);
  });

  test('has none while one of them is not set up', () => {
    expect(rowsFor(['sms', 'whatsapp'], { off: ['whatsapp'] })).toEqual([
      ['sms', null, 'waiting'],
      ['whatsapp', null, 'channel_off'],
    ]);
    expect(rowsFor(['sms', 'whatsapp'], { off: ['sms'] })).toEqual([
      ['sms', null, 'channel_off'],
      ['whatsapp', null, 'waiting'],
    ]);
  });
});

describe('an address that a stranger entered', () => {
  const address = 'eva@people.example';
  const school = aSchool({ timezone: 'UTC' });
  const day = anEvent({ start_date: '2026-12-01', end_date: '2026-12-01' });
  const about = occasion(aFact('event.published', { sequence: 1 } as never), day, { school });
  const eva = to('eva');
  const strangerTo = (registered_by: string) =>
    to(registered_by, null, { snapshot: { email: address, phone: null }, registered_by });
  const emails = (recipients: Recipient[], people: Partial<People> = {}) =>
    oneRowPerKey(draft(about, recipients, people)).rows.filter(({ channel }) => channel === 'email');

  test('never shares a message with its owner, nor with another stranger', () => {
    for (const order of [
      [strangerTo('mallory'), eva, strangerTo('trent')],
      [eva, strangerTo('mallory'), strangerTo('trent')],
    ]) {
      const rows = emails(order);
      expect(rows.map(({ user_id, given_by, also }) => [user_id, given_by, also]).sort()).toEqual([
        ['eva', null, []],
        ['mallory', 'mallory', []],
        ['trent', 'trent', []],
      ]);
    }
  });

  test('delays nothing by the stranger’s quiet hours', () => {
    const hour = NOW.getUTCHours();
    const clockAt = (at: number) => `${String((at + 24) % 24).padStart(2, '0')}:00`;
    const quiet = { from: clockAt(hour - 1), to: clockAt(hour + 2) };
    const rows = emails([strangerTo('mallory'), eva], { quietHoursOf: (id) => (id === 'mallory' ? quiet : null) });
    expect(rows.map(({ held_until }) => held_until)).toEqual([null, null]);
    const [own] = emails([eva], { quietHoursOf: (id) => (id === 'eva' ? quiet : null) });
    expect(own?.held_until).toBeInstanceOf(Date);
  });

  test('gets nothing until the quiet hours of all its owners in the directory are over', () => {
    const evas = aContact('eva', { email: address, timezone: 'UTC' });
    const jans = aContact('jan', { email: address, timezone: 'UTC' });
    const untilHours: Record<string, number> = { eva: 1, jan: 3 };
    const hour = (plus: number) => `${String((NOW.getUTCHours() + plus) % 24).padStart(2, '0')}:00`;
    const rows = emails([strangerTo('mallory')], {
      ownersOf: (asked) => (asked === address ? [evas, jans] : []),
      quietHoursOf: (id) => (untilHours[id] ? { from: hour(23), to: hour(untilHours[id]) } : null),
    });
    expect(rows).toMatchObject([
      {
        user_id: 'mallory',
        address_owners: ['eva', 'jan'],
        held_until: new Date(NOW.getTime() + 3 * 3_600_000),
      },
    ]);
    const [own] = emails([eva], { ownersOf: () => [jans] });
    expect(own).toMatchObject({ given_by: null, address_owners: [], held_until: null });
  });
});
