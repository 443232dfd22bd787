import { describe, expect, test } from 'vitest';
import { addExpectations, type EventAnswer, type Trigger } from '../../../src/dev/acceptance/expectations.ts';
import { compare, compareRecords, type DeliveryRow } from '../../../src/dev/acceptance/findings.ts';
import type { Received } from '../../../src/dev/acceptance/received.ts';
import { directoryBuilder } from '../../../src/dev/school/demo-person.ts';

const NOW = Date.parse('2026-10-05T08:00:00Z');

/** 18:00 in Prague, 17:00 in London. */
const CONCERT: EventAnswer = {
  id: 'concert',
  title: 'Concert',
  translations: { cs: { title: 'Koncert' } },
  visibility: 'internal',
  target_audience: ['all'],
  class_id: null,
  grade_level_ids: [],
  starts_at: '2026-10-16T16:00:00.000Z',
  timezone: 'Europe/Prague',
  all_day: false,
  send_notifications: true,
};

const { people: FAMILY, parent, student } = directoryBuilder();
parent('Eva', { email: 'both@home.example', phone: true, push: true });
parent('Jan', { email: 'both@home.example' });
student('5a', 'Ota', { guardians: ['Eva', 'Jan'] });
parent('Tom', { email: true, locale: 'en', timezone: 'Europe/London', opted_out: ['event.published:in_app'] });
parent('Rut', { email: true, bounces: true });

function expectationsAfter(trigger: Trigger, notified?: readonly string[], event = CONCERT) {
  const all = { expected: [], excluded: [] };
  addExpectations(all, { trigger, event, since: NOW, notified }, FAMILY);
  return all as Parameters<typeof addExpectations>[0];
}
const { expected, excluded } = expectationsAfter('event.published');

const TEXTS: Record<string, string> = {
  'both@home.example': 'Koncert\nDobrý den\nKdy: pátek 16. října 2026, 18:00–20:00',
  'tom@people.example': 'Concert\nHello Tom\nWhen: Friday 16 October 2026, 18:00 (Prague time)\nYour time: 17:00',
};
const GOOD: readonly Received[] = expected.map(({ channel, address, event_id, trigger }) => {
  const text = TEXTS[address] ?? 'Nová akce: Koncert\npátek 16. října 2026, 18:00';
  return { channel, address, event_id, trigger, at: NOW + 100, text };
});
const MAIL = GOOD.find(({ address }) => address === 'tom@people.example') as Received;
const findings = (received: readonly Received[]) =>
  compare(expected, excluded, received).findings.map(({ kind, text }) => `${kind}: ${text}`);

describe('the expectations', () => {
  test('name one e-mail for both parents, guardians for a child without an address, and a reason for everyone else', () => {
    expect(expected.map(({ channel, address }) => `${channel} ${address}`)).toEqual([
      'email both@home.example',
      'email tom@people.example',
      'push eva',
      ...['eva', 'jan', 'ota', 'rut'].map((id) => `in_app ${id}`),
    ]);
    expect(excluded.map(({ channel, user_id, why }) => `${user_id} ${channel} ${why}`)).toEqual([
      'jan email same_address',
      'rut email suppressed',
      ...['jan', 'tom', 'rut'].map((id) => `${id} push no_contact`),
      'tom in_app opted_out',
    ]);
  });

  test('name only the people who are notified, and the others as not registered', () => {
    const cancelled = expectationsAfter('event.cancelled', ['tom']);
    expect(cancelled.expected.map(({ channel }) => channel)).toEqual(['email', 'in_app']);
    expect(cancelled.excluded.filter(({ why }) => why === 'not_registered')).toHaveLength(4);
  });

  test('notify no one of an event without notifications', () => {
    const silent = expectationsAfter('event.published', undefined, { ...CONCERT, send_notifications: false });
    expect(silent.expected).toEqual([]);
  });
});

describe('the check of messages', () => {
  const name = 'event.published of concert by email to tom@people.example';

  test.each([
    ['nothing when all messages arrived', GOOD, []],
    ['a missing message', GOOD.filter((one) => one !== MAIL), [`missing: ${name}`]],
    ['a doubled message', [...GOOD, MAIL], [`doubled: ${name}: arrived 2 times`]],
    [
      'an unexpected message with the reason against it',
      [...GOOD, { ...MAIL, channel: 'in_app' as const, address: 'tom' }],
      ['unexpected: event.published of concert by in_app to tom: has turned it off'],
    ],
    [
      'another language',
      GOOD.map((one) => (one === MAIL ? { ...one, text: 'Concert\nDobrý den\n16. října 2026, 18:00, 17:00' } : one)),
      [`wrong: ${name}: lacks the language en, the date`],
    ],
    [
      'another time',
      GOOD.map((one) => (one === MAIL ? { ...one, text: 'Concert\nHello\n16 October 2026, 19:00, 18:00' } : one)),
      [`wrong: ${name}: lacks the time where the reader is`],
    ],
  ])('finds %s', (_, received, found) => {
    expect(findings(received)).toEqual(found);
  });

  test('requires the name of the child that a guardian is notified for', () => {
    const [mail] = expectationsAfter('event.cancelled', ['ota']).expected;
    const says = (text: string) => mail?.says.filter((required) => !required.in.test(text)).map(({ what }) => what);
    expect(says('zruseno: koncert patek 16. rijna 2026, 18:00')).toEqual(['that it is about Ota']);
    expect(says('zruseno: koncert patek 16. rijna 2026, 18:00 tyka se: ota')).toEqual([]);
  });
});

test('the check of records finds a person without a row, and another reason', () => {
  const row = (channel: string, user_id: string, reason: string | null = null): DeliveryRow => {
    return { user_id, channel, status: reason ? 'skipped' : 'sent', reason, trigger: 'event.published' };
  };
  const rows = [
    ...expected.map(({ channel, receivers }) => row(channel, receivers[0] ?? '')),
    ...excluded.map(({ channel, user_id, why }) => row(channel ?? '', user_id, why)),
  ];
  const faults = (all: DeliveryRow[]) => compareRecords('concert', all, expected, excluded).map(({ text }) => text);
  expect(faults(rows)).toEqual([]);
  expect(faults(rows.slice(1))).toEqual(['event.published email sent of concert: the service recorded 1, expected 2']);
  expect(faults(rows.map((one) => (one.reason === 'opted_out' ? { ...one, reason: 'expired' } : one)))).toHaveLength(2);
});
