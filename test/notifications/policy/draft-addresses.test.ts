import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { type FanOutDeps, fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import { oneRowPerKey, type People } from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Recipient } from '../../../src/notifications/policy/recipients.ts';
import { CHANNELS, type Channel } from '../../../src/people/channels.ts';
import type { Contact } from '../../../src/people/contact.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { aContact, anEvent, aRegistration, aSchool, NOW } from '../../support/builders.ts';
import { ALL_CHANNELS, aFact, anOccasion, fanOutParts } from '../../support/message-builders.ts';
import { draft, preferring, to } from './drafting.ts';

/** The fan-out on stores that are lists: the rows of drafts that share an address. */
function school(contacts: Contact[], registrations: Registration[] = []) {
  const rows = new Map<string, Delivery>();
  const fact = aFact(registrations.length > 0 ? 'event.cancelled' : 'event.published');
  const event = anEvent({ status: registrations.length > 0 ? 'cancelled' : 'published' });
  const deps = {
    ...fanOutParts,
    inbox: { signalArrivals: async () => {} },
    clock: { now: () => NOW },
    facts: {
      findWithParts: async () => ({ fact, parts: [] }),
      markProcessed: async () => {},
    },
    events: { findMany: async () => [event] },
    schools: { find: async () => aSchool() },
    contacts: {
      findPage: async () => contacts,
      findChildren: async () => [],
      findMany: async (_: unknown, wanted: string[]) => contacts.filter(({ user_id }) => wanted.includes(user_id)),
      findTies: async () => contacts,
    },
    registrations: { findPage: async () => registrations, findStatuses: async () => registrations },
    preferences: { findMany: async () => [] },
    pushSubscriptions: { findMany: async () => [] },
    deliveries: {
      listAnnounced: async () => [],
      isBeingAnnounced: async () => false,
      findOthers: async () => [],
      insertMany: async (drafts: Delivery[]) => {
        const collided = drafts.flatMap(({ id }) => rows.get(id) ?? []);
        for (const row of drafts) if (!rows.has(row.id)) rows.set(row.id, row);
        return { collided };
      },
    },
    openChannels: ALL_CHANNELS,
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

  test('of several people gets one message and a row for each, also when the fact is replayed', async () => {
    const { fanOut: run, byEmail, ids } = school(family);
    await run();
    expect(byEmail().filter((row) => row.status === 'waiting')).toHaveLength(1);
    expect(new Set(byEmail().map((row) => row.user_id))).toEqual(new Set(['eva', 'jan', 'ida']));
    const before = ids();
    await run();
    expect(ids()).toEqual(before);
  });

  test('of two guardians gets one message', async () => {
    const father = { ...mother, user_id: 'father', name: 'Father' };
    const eva = aContact('eva', { guardians: ['mother', 'father'] });
    const { fanOut: run, byEmail } = school([eva, mother, father], registered.slice(0, 1));
    await run();
    expect(byEmail().filter((row) => row.status === 'waiting')).toHaveLength(1);
  });

  test('of a guardian of siblings gets one message about both', async () => {
    const { fanOut: run, byEmail } = school([...guarded, mother], registered);
    await run();
    const [row, ...more] = byEmail();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ user_id: 'mother', status: 'waiting' });
    expect(row?.on_behalf_of.map((child) => child.user_id).sort()).toEqual(['eva', 'jan']);
  });
});

describe('a channel with a fallback', () => {
  const chosen = (channels: string[]) => aSchool({ channels: { 'event.published': channels } });
  const person = to('eva', { phone: '+420601123456' });
  const rowsFor = (channels: string[], { opted_out = [] as string[], off = [] as Channel[] } = {}) => {
    const openChannels = new Set([...CHANNELS].filter((channel) => !off.includes(channel)));
    const about = { ...anOccasion(aFact('event.published'), {}, { school: chosen(channels) }), openChannels };
    const rows = draft(about, [person], preferring({ eva: { opted_out } }));
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
  const about = anOccasion(aFact('event.published', { sequence: 1 } as never), day, { school });
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
    const quiet_hours = { from: clockAt(hour - 1), to: clockAt(hour + 2) };
    const rows = emails([strangerTo('mallory'), eva], preferring({ mallory: { quiet_hours } }));
    expect(rows.map(({ held_until }) => held_until)).toEqual([null, null]);
    const [own] = emails([eva], preferring({ eva: { quiet_hours } }));
    expect(own?.held_until).toBeInstanceOf(Date);
  });

  test('gets nothing until the quiet hours of all its owners in the directory are over', () => {
    const evas = aContact('eva', { email: address, timezone: 'UTC' });
    const jans = aContact('jan', { email: address, timezone: 'UTC' });
    const hour = (plus: number) => `${String((NOW.getUTCHours() + plus) % 24).padStart(2, '0')}:00`;
    const quietUntil = (plus: number) => ({ from: hour(23), to: hour(plus) });
    const rows = emails([strangerTo('mallory')], {
      ownersOf: (asked) => (asked === address ? [evas, jans] : []),
      ...preferring({ eva: { quiet_hours: quietUntil(1) }, jan: { quiet_hours: quietUntil(3) } }),
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
