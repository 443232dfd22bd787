import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { eventOf, withMessages } from '../../src/messages/message.ts';
import { contentOf } from '../../src/notifications/content/content.ts';
import { deferUntil } from '../../src/notifications/policy/deferral.ts';
import { reasonToStop } from '../../src/notifications/policy/gate.ts';
import { isInAudience } from '../../src/people/audience.ts';
import { aContact, anEvent, aSchool, at, NOW } from '../support/builders.ts';
import { aDelivery, aFact, aSchoolMessage } from '../support/message-builders.ts';

const EVA = aContact('eva', { roles: ['student'], class_ids: ['5.A'], guardians: ['mother'] });
const MOTHER = aContact('mother', { roles: ['parent'] });
const VISITOR = aContact('visitor', { roles: ['external'] });

const gets = (message: Partial<Parameters<typeof aSchoolMessage>[0]>) =>
  [EVA, MOTHER, VISITOR]
    .filter((one) => isInAudience(one, one === MOTHER ? [EVA] : [], eventOf(aSchoolMessage(message))))
    .map(({ user_id }) => user_id);

test.each<[string, Parameters<typeof gets>[0], string[]]>([
  ['everyone at the school', {}, ['eva', 'mother']],
  ['a class and its parents', { class_id: '5.A' }, ['eva', 'mother']],
  ['the parents of a class', { class_id: '5.A', target_audience: ['parents'] }, ['mother']],
  ['another class', { class_id: '6.B' }, []],
  ['visitors only if it names them', { target_audience: ['external'] }, ['visitor']],
])('a message is for %s', (_, message, readers) => {
  expect(gets(message)).toEqual(readers);
});

test('each reader gets the text of their language, and the link leads to the inbox', () => {
  const translations = { cs: { subject: 'Zítra je škola zavřená', body: 'Nefunguje topení.' } };
  const message = aSchoolMessage({ translations, reply_to: { name: 'Karl', email: 'karl@school.example' } });
  const event = eventOf(message);
  const fact = aFact('message.school');
  const read = (locale: 'en' | 'cs') =>
    contentOf({
      event,
      fact,
      dates: [{ event, fact }],
      trigger: 'message.school',
      channel: 'email',
      school: aSchool(),
      locale,
      timezone: 'Asia/Tokyo',
      publicUrl: 'https://school.test',
    });
  expect(read('cs').message).toMatchObject(translations.cs);
  expect(read('en')).toMatchObject({
    message: { subject: 'School is closed tomorrow', body: 'The heating has failed.' },
    event: { url: 'https://school.test/inbox', when: '', when_yours: '' },
    reply_to: { name: 'Karl', address: 'karl@school.example' },
    calendar: null,
  });
});

test.each([
  ['message.school', '2026-09-02T05:00:00.000Z'],
  ['message.urgent', null],
] as const)('a %s at night waits until %s', (trigger, until) => {
  const quiet = { hours: { from: '20:00', to: '07:00' }, breaks: [], zone: 'Europe/Prague' };
  const about = { fact: aFact(trigger), trigger, event: eventOf(aSchoolMessage()), channel: 'email' as const };
  expect(
    deferUntil({ ...about, expires_at: null }, quiet, at('2026-09-01T20:30:00Z'))?.until.toISOString() ?? null,
  ).toBe(until);
});

const sending = (trigger: 'message.school' | 'message.urgent') => ({
  event: eventOf(aSchoolMessage()),
  fact: aFact(trigger),
  registrations: [],
  preferences: new Map(),
  suppressed: new Set<string>(),
  at: NOW,
});

test.each([
  ['message.school', 'opted_out'],
  ['message.urgent', null],
] as const)('a %s by e-mail to a person who turned messages off stops: %s', (trigger, reason) => {
  const preferences = new Map([['eva', { locale: null, opted_out: ['*:*'] }]]);
  expect(reasonToStop(aDelivery({ trigger }), { ...sending(trigger), preferences })).toBe(reason);
});

test('a withdrawn message is not sent', () => {
  const event = eventOf(aSchoolMessage({ status: 'withdrawn', withdrawn_at: NOW }));
  const now = { ...sending('message.urgent'), event };
  expect(reasonToStop(aDelivery({ trigger: 'message.urgent' }), now)).toBe('withdrawn');
});

test('messages are looked for only under ids of no event', async () => {
  const asked: string[][] = [];
  const findMany = async (ids: readonly string[]) => {
    asked.push([...ids]);
    return [aSchoolMessage()].filter(({ id }) => ids.includes(id));
  };
  const events: SchoolEvent[] = [anEvent()];
  const find = withMessages(async (ids) => events.filter(({ id }) => ids.includes(id)), { findMany });
  expect(await find(['event-1'])).toEqual(events);
  expect((await find(['event-1', 'message-1', 'gone'])).map(({ id }) => id)).toEqual(['event-1', 'message-1']);
  expect(asked).toEqual([['message-1', 'gone']]);
});
