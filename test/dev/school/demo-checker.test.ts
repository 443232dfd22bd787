import { describe, expect, test } from 'vitest';
import { expectationsOf } from '../../../src/dev/acceptance/expectations.ts';
import { compare } from '../../../src/dev/acceptance/findings.ts';
import type { Entry, EventAnswer } from '../../../src/dev/acceptance/journal.ts';
import { occasionsOf } from '../../../src/dev/acceptance/occasions.ts';
import { fromSms, type Received } from '../../../src/dev/acceptance/received.ts';
import { compareRecords, type DeliveryRow } from '../../../src/dev/acceptance/records.ts';
import { type DemoPerson, directoryBuilder } from '../../../src/dev/school/demo-person.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-10-05T08:00:00Z');

/** 18:00 in Prague, 17:00 in London. */
const concert = (more: Partial<EventAnswer> = {}): EventAnswer => ({
  id: 'concert',
  title: 'Concert',
  status: 'published',
  visibility: 'internal',
  target_audience: ['all'],
  class_id: null,
  grade_level_ids: [],
  starts_at: '2026-10-16T16:00:00.000Z',
  timezone: 'Europe/Prague',
  all_day: false,
  send_notifications: true,
  reminders: [],
  ...more,
});

function family(): DemoPerson[] {
  const { people, parent, student } = directoryBuilder();
  parent('Eva', { email: 'both@home.example', phone: true, push: true });
  parent('Jan', { email: 'both@home.example' });
  student('5a', 'Ota', { guardians: ['Eva', 'Jan'] });
  student('5a', 'Ida', { guardians: ['Eva', 'Jan'] });
  parent('Tom', { email: true, locale: 'en', timezone: 'Europe/London', opted_out: ['event.published:in_app'] });
  parent('Uwe', {});
  return people;
}

const published = (at = NOW, event = concert()): Entry => ({ kind: 'published', at, event });
const registered = (user_id: string, status = 'confirmed', at = NOW + 1_000): Entry => ({
  kind: 'registered',
  at,
  event_id: 'concert',
  id: `of-${user_id}`,
  user_id,
  status,
});
const left = (user_id: string, at = NOW + 2_000): Entry => ({
  kind: 'left',
  at,
  event_id: 'concert',
  id: `of-${user_id}`,
});
const LATER = concert({ starts_at: '2026-10-23T17:00:00.000Z', status: 'postponed' });
const postponed = (at = NOW + 3_000): Entry => ({ kind: 'postponed', at, event: LATER });
const cancelled = (at = NOW + 3_000): Entry => ({ kind: 'cancelled', at, event: concert({ status: 'cancelled' }) });

const expectedAfter = (journal: Entry[], now = NOW + 10_000) =>
  expectationsOf(occasionsOf(journal, family(), now), family());
const addresses = (journal: Entry[], trigger: string, now?: number) =>
  expectedAfter(journal, now)
    .expected.filter((one) => one.trigger === trigger)
    .map(({ channel, address }) => `${channel} ${address}`)
    .sort();
const reasons = (journal: Entry[], trigger: string) =>
  expectedAfter(journal)
    .excluded.filter((one) => one.trigger === trigger)
    .map(({ channel, user_id, why }) => `${user_id} ${channel} ${why}`)
    .sort();

describe('who must be notified', () => {
  test('sends a new event to the audience: one e-mail for both parents, guardians for children without an address', () => {
    expect(addresses([published()], 'event.published')).toEqual([
      'email both@home.example',
      'email tom@people.example',
      'in_app eva',
      'in_app ida',
      'in_app jan',
      'in_app ota',
      'in_app uwe',
      'push eva',
    ]);
    expect(reasons([published()], 'event.published')).toEqual([
      'jan email same_address',
      'jan push no_contact',
      'tom in_app opted_out',
      'tom push no_contact',
      'uwe email no_contact',
      'uwe push no_contact',
    ]);
  });

  test('notifies no one of an event without notifications, with a reason for each person', () => {
    const silent = [published(NOW, concert({ send_notifications: false, target_audience: ['parents'] }))];
    expect(addresses(silent, 'event.published')).toEqual([]);
    expect(reasons(silent, 'event.published').filter((reason) => reason.includes('notifications_off'))).toHaveLength(
      12,
    );
  });

  test('sends no e-mail to an address that bounced before', () => {
    const { people, parent } = directoryBuilder();
    parent('Rút', { email: true, bounces: true });
    const { expected, excluded } = expectationsOf(occasionsOf([published()], people, NOW), people);
    expect(expected.map(({ channel }) => channel)).toEqual(['in_app']);
    expect(excluded.map(({ channel, why }) => `${channel} ${why}`)).toEqual(['email suppressed', 'push no_contact']);
  });

  test('notifies a class and its parents of an event for that class', () => {
    const { expected } = expectedAfter([published(NOW, concert({ class_id: 'class-5a' }))]);
    expect(expected.filter(({ channel }) => channel === 'in_app').map(({ address }) => address)).toEqual([
      'eva',
      'jan',
      'ota',
      'ida',
    ]);
  });

  test('notifies everyone registered or waitlisted of a cancellation, even after an opt-out', () => {
    const journal = [published(), registered('tom'), registered('uwe', 'waitlisted'), registered('ota'), left('ota')];
    expect(addresses([...journal, cancelled()], 'event.cancelled')).toEqual([
      'email tom@people.example',
      'in_app tom',
      'in_app uwe',
    ]);
  });

  test('promotes the first on the waitlist when a seat holder cancels, not when another waitlisted person does', () => {
    const full = [published(), registered('tom'), registered('jan', 'waitlisted'), registered('uwe', 'waitlisted')];
    expect(addresses([...full, left('jan')], 'registration.confirmed')).toEqual([
      'email tom@people.example',
      'in_app tom',
    ]);
    expect(addresses([...full, left('tom')], 'registration.confirmed')).toContain('in_app jan');
    expect(addresses([...full, left('tom')], 'registration.confirmed')).not.toContain('in_app uwe');
  });

  test('reminds the people who are confirmed when the reminder is due', () => {
    const event = concert({ reminders: [{ type: 'in_app', offset: 60 }] });
    const due = Date.parse(event.starts_at) - 60 * MINUTE;
    const journal = [published(NOW, event), registered('tom'), registered('jan'), registered('uwe', 'waitlisted')];
    expect(addresses([...journal, left('jan')], 'reminder.due', due - 1)).toEqual([]);
    // Uwe has been promoted
    expect(addresses([...journal, left('jan')], 'reminder.due', due)).toEqual(['in_app tom', 'in_app uwe']);
    expect(addresses([...journal, postponed()], 'reminder.due', due)).toEqual([]);
  });
});

/** The right text in the right language, whatever the message. */
const TEXTS: Record<string, string> = {
  'both@home.example event.published': 'Concert\nDobrý den\nKdy: pátek 16. října 2026, 18:00–20:00',
  'tom@people.example event.published':
    'Concert\nHello Tom\nWhen: Friday 16 October 2026, 18:00 (Prague time)\nYour time: 17:00',
};
const textOf = (address: string, trigger: string) =>
  TEXTS[`${address} ${trigger}`] ?? 'Nová akce: Concert\npátek 16. října 2026, 18:00';

/** Everything that is expected, as it should come. */
function everything(journal: Entry[]): Received[] {
  return expectedAfter(journal).expected.map(({ channel, address, event_id, trigger, since }) => ({
    channel,
    address,
    event_id,
    trigger,
    at: since + 100,
    text: textOf(address, trigger),
  }));
}

const findingsOf = (journal: Entry[], received: Received[]) => {
  const { expected, excluded } = expectedAfter(journal);
  return compare(expected, excluded, received).findings.map(({ kind, text }) => `${kind}: ${text}`);
};

describe('the check', () => {
  const journal = [published()];
  const good = everything(journal);
  const mail = good.filter(({ address }) => address === 'tom@people.example');

  test('finds nothing when all messages arrived', () => {
    expect(good).toHaveLength(8);
    expect(findingsOf(journal, good)).toEqual([]);
  });

  test('catches a missing message', () => {
    expect(
      findingsOf(
        journal,
        good.filter((one) => !mail.includes(one)),
      ),
    ).toEqual(['missing: event.published of concert by email to tom@people.example']);
  });

  test('catches a doubled message', () => {
    expect(findingsOf(journal, [...good, ...mail])).toEqual([
      'doubled: event.published of concert by email to tom@people.example: arrived 2 times',
    ]);
  });

  test('catches a message that arrived when it was no longer true', () => {
    const course = [...journal, cancelled()];
    const late = good.map((one) => (mail.includes(one) ? { ...one, at: NOW + 5_000 } : one));
    expect(findingsOf(course, late)).toEqual([
      'stale: event.published of concert by email to tom@people.example: arrived 2000 ms after it was no longer true',
    ]);
  });

  test('catches an old text sent for a new reason', () => {
    const course = [...journal, postponed(), published(NOW + 4_000, { ...LATER, status: 'published' })];
    const again = good.map((one) => ({ ...one, at: NOW + 5_000 }));
    const found = findingsOf(course, [...good, ...again]).filter((text) => text.includes('tom@people.example'));
    expect(found).toEqual([
      'doubled: event.published of concert by email to tom@people.example: arrived 2 times',
      'stale: event.published of concert by email to tom@people.example: arrived 2000 ms after it was no longer true',
      'missing: event.published of concert by email to tom@people.example',
    ]);
  });

  test('catches an unexpected message and gives the reason against it', () => {
    const extra = { ...good[0], channel: 'in_app', address: 'tom', at: NOW + 100 } as Received;
    expect(findingsOf(journal, [...good, extra])).toEqual([
      'unexpected: event.published of concert by in_app to tom: has turned it off',
    ]);
    const early = { ...extra, address: 'eva', trigger: 'event.cancelled' };
    expect(findingsOf(journal, [...good, early])).toEqual([
      'unexpected: event.cancelled of concert by in_app to eva: nothing had happened that calls for it',
    ]);
  });

  test.each([
    ['another language', 'Concert\nDobrý den\nKdy: pátek 16. října 2026, 18:00\n17:00', 'the language en, the date'],
    ['another time', 'Concert\nHello\n16 October 2026, 19:00\nYour time: 18:00', 'the time where the reader is'],
    ['no title', 'Hello\n16 October 2026, 18:00\nYour time: 17:00', 'the title'],
  ])('catches a text with %s', (_, text, lacks) => {
    const wrong = good.map((one) => (mail.includes(one) ? { ...one, text } : one));
    expect(findingsOf(journal, wrong)).toEqual([
      `wrong: event.published of concert by email to tom@people.example: lacks ${lacks}`,
    ]);
  });

  test('catches a mail to a parent that names one of two children', () => {
    const course = [...journal, registered('ota'), registered('ida'), cancelled()];
    const { expected } = expectedAfter(course);
    const [one] = expected.filter(({ trigger, channel }) => trigger === 'event.cancelled' && channel === 'email');
    const says = (text: string) => one?.says.filter((required) => !required.in.test(text)).map(({ what }) => what);
    const text = 'zruseno: concert patek 16. rijna 2026, 18:00 tyka se: ota';
    expect(says(text)).toEqual(['that it is about Ota and Ida']);
    expect(says(`${text}, ida`)).toEqual([]);
  });
});

test('recognises an SMS by its text, in either language and with any link', () => {
  const events = [concert(), concert({ id: 'trip', title: 'Výlet do planetária / Planetarium trip' })];
  const sms = (body: string) => {
    const { event_id, trigger } = fromSms({ to: '+420601000001', body, at: new Date(NOW) } as never, events);
    return `${trigger} ${event_id}`;
  };
  expect(sms('ZS: ZRUSENO: Vylet do planetaria / Planetarium..., pa 27. 11. http://a/x')).toBe('event.cancelled trip');
  expect(sms('ZS: NEW DATE: Concert, Tue 8 Dec. Not for you? http://a/places/x')).toBe('event.postponed concert');
  expect(sms('ZS: something else: Concert')).toBe('null concert');
});

describe('the check of the records', () => {
  const { expected, excluded } = expectedAfter([published()]);
  const row = (user_id: string, channel: string, status: string, reason: string | null = null): DeliveryRow => ({
    user_id,
    channel,
    status,
    reason,
    trigger: 'event.published',
  });
  const good = [
    row('eva', 'email', 'sent'),
    row('jan', 'email', 'skipped', 'same_address'),
    row('tom', 'email', 'sent'),
    row('uwe', 'email', 'skipped', 'no_contact'),
    row('eva', 'push', 'sent'),
    ...['jan', 'tom', 'uwe'].map((user_id) => row(user_id, 'push', 'skipped', 'no_contact')),
    ...['eva', 'jan', 'ota', 'ida', 'uwe'].map((user_id) => row(user_id, 'in_app', 'sent')),
    row('tom', 'in_app', 'skipped', 'opted_out'),
  ];
  const faults = (rows: DeliveryRow[]) => compareRecords('concert', rows, expected, excluded).map(({ text }) => text);

  test('finds nothing where all is well, whoever stands for an address', () => {
    expect(faults(good)).toEqual([]);
    const swapped = good.map((one) =>
      one.channel === 'email' && ['eva', 'jan'].includes(one.user_id)
        ? { ...one, user_id: one.user_id === 'eva' ? 'jan' : 'eva' }
        : one,
    );
    expect(faults(swapped)).toEqual([]);
  });

  test('catches a person without a row, another reason, and a message that never ended', () => {
    expect(faults(good.filter(({ user_id, channel }) => user_id !== 'uwe' || channel !== 'push'))).toEqual([
      'event.published push no_contact uwe of concert: the service recorded 0, expected 1',
    ]);
    expect(faults(good.map((one) => (one.reason === 'opted_out' ? { ...one, reason: 'expired' } : one)))).toHaveLength(
      3,
    );
    expect(faults(good.map((one) => (one === good[0] ? { ...one, status: 'waiting' } : one)))).toContain(
      'event.published email waiting eva of concert: the service recorded 1, expected 0',
    );
  });

  test('catches that of two people at one address one left no row', () => {
    const both = good.map((one) => (one.reason === 'same_address' ? { ...one, user_id: 'eva' } : one));
    expect(faults(both).sort()).toEqual([
      'event.published email sent, or notified at the same address, to eva of concert: the service recorded 2, expected 1',
      'event.published email sent, or notified at the same address, to jan of concert: the service recorded 0, expected 1',
    ]);
  });
});
