import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { groupBy } from '../../../src/core/groups.ts';
import { contentOf } from '../../../src/notifications/content/content.ts';
import type { Outgoing } from '../../../src/notifications/content/message.ts';
import { composeDigests, inDigest, unitOf } from '../../../src/notifications/delivery/digests.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { anEvent, aSchool } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';
import { digestOf } from './written-mail.ts';

const SENDER = { from: 'Schoolbell <bell@school.example>', messageDomain: 'school.example' };

/** The digest of these messages to Eva, as her mail program reads it. */
const received = (parts: Outgoing[]) => PostalMime.parse(digestOf(parts, SENDER));

function ready(
  id: string,
  digest_key: string | null,
  more: Partial<Outgoing['content']> = {},
  locale: 'en' | 'cs' = 'en',
) {
  const row = aDelivery({ id, digest_key, locale });
  const fact = aFact('event.published');
  const event = anEvent({ title: `Fair <${id}>`, location_name: 'Velká aula' });
  const content = contentOf({
    event,
    fact,
    dates: [{ event, fact }],
    trigger: 'event.published',
    channel: 'email',
    school: aSchool({ name: 'Lipová' }),
    locale,
    timezone: 'UTC',
    publicUrl: 'https://school.example',
  });
  const person = {
    name: 'Eva',
    on_behalf_of: '',
    unsubscribe_url: 'https://school.example/u/1',
    place_url: '',
    acknowledgement_url: '',
    position: '',
    meetings: '',
    registered: '' as const,
    attends: '' as const,
    several: '' as const,
  };
  return { row, outgoing: { delivery: row, content: { ...content, ...more }, person } as Outgoing };
}

const spelled = (messages: ReturnType<typeof composeDigests>) =>
  messages.map(({ row, others }) => [row.id, ...others.map((other) => other.id)].join('+')).sort();

test('combines messages deferred to the same morning and sends the others alone', () => {
  const all = [ready('d', 'eva'), ready('a', 'eva'), ready('b', null), ready('c', 'jan'), ready('e', 'eva')];
  expect(spelled(composeDigests(all, true))).toEqual(['a+d+e', 'b', 'c']);
  expect(spelled(composeDigests(all, false))).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('resends a composed digest with the same members under the same id', () => {
  const composed = (id: string) => {
    const one = ready(id, 'eva');
    return { ...one, row: { ...one.row, digest_id: 'first' } };
  };
  const messages = composeDigests([ready('a', 'eva'), composed('b'), composed('c')], true);
  expect(spelled(messages)).toEqual(['a', 'b+c']);
  expect(messages.map(({ outgoing }) => [outgoing.delivery.id, outgoing.sent_as])).toEqual([
    ['a', undefined],
    ['b', 'first'],
  ]);
  expect(composeDigests([composed('first')], true)[0]?.outgoing.sent_as).toBeUndefined();
});

test('keeps the messages in their original order', () => {
  const at = (id: string, minute: number) => {
    const one = ready(id, 'eva');
    return { ...one, row: { ...one.row, created_at: new Date(Date.UTC(2026, 9, 11, 0, minute)) } };
  };
  expect(spelled(composeDigests([at('a', 3), at('b', 1), at('c', 2)], true))).toEqual(['b+c+a']);
});

test('sends a message with a calendar file alone', () => {
  const calendar = { method: 'REQUEST' as const, text: 'BEGIN:VCALENDAR', for_others: null };
  expect(spelled(composeDigests([ready('a', 'eva'), ready('b', 'eva', { calendar })], true))).toEqual(['a', 'b']);
});

test('puts at most fifty messages into one digest', () => {
  const many = Array.from({ length: 120 }, (_, n) => ready(`m-${String(n).padStart(3, '0')}`, 'eva'));
  expect(composeDigests(many, true).map(({ others }) => others.length + 1)).toEqual([50, 50, 20]);
});

test('a member names the delivery that was sent for it, unless nothing was sent', () => {
  const carrier = aDelivery({ id: 'a' });
  const sent = { to: 'sent', id: 'b', provider_id: 'q1', detail: null } as const;
  expect(inDigest(sent, carrier)).toEqual({ ...sent, detail: 'in_digest a' });
  const failed = { to: 'failed', id: 'b', reason: 'bad_address', detail: '550' } as const;
  expect(inDigest(failed, carrier)).toBe(failed);
});

test('keeps deferred deliveries in one unit, except one that saw a crash', () => {
  const row = (id: string, more: Partial<Delivery>) => aDelivery({ id, ...more });
  const rows = [
    row('a', { digest_key: 'eva' }),
    row('b', {}),
    row('c', { digest_key: 'eva' }),
    row('d', { digest_key: 'eva', crashes: 1 }),
    row('e', { digest_key: 'eva', crashes: 1, digest_id: 'x' }),
    row('f', { digest_key: 'eva', digest_id: 'x' }),
  ];
  const units = groupBy(rows, unitOf).map((unit) => unit.map(({ id }) => id));
  expect(units).toEqual([['a', 'c'], ['b'], ['d'], ['e', 'f']]);
});

test.each([
  ['en', '2 messages: Fair <a>, Fair <b>', 'New event: Fair <a>', 'Hello Eva,'],
  ['cs', '2 zprávy: Fair <a>, Fair <b>', 'Nová akce: Fair <a>', 'Dobrý den,'],
] as const)('the digest in %s contains every message, escaped', async (locale, subject, line, hello) => {
  const parts = [ready('a', 'eva', {}, locale), ready('b', 'eva', {}, locale)].map(({ outgoing }) => outgoing);
  const raw = digestOf(parts, SENDER);
  expect(Buffer.from(raw, 'utf8').every((byte) => byte < 128)).toBe(true);
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const mail = await PostalMime.parse(raw);
  expect(mail.subject).toBe(subject);
  expect(mail.messageId).toBe('<a@school.example>');
  expect(mail.to?.map(({ address }) => address)).toEqual(['eva@people.example']);
  expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe('<https://school.example/u/1>');
  expect(mail.text).toContain(hello);
  expect(mail.text).toContain(line);
  expect(mail.text).toContain('Velká aula');
  expect(mail.text).toContain('https://school.example/events/event-1');
  expect(mail.html).toContain('Fair &lt;b&gt;');
  expect(mail.html).not.toContain('<b>');
});

test.each([
  ['quiet hours', 'quiet_hours', 'during your quiet hours:'],
  ['holidays', 'term_calendar', 'during the holidays:'],
] as const)('a digest says that its messages waited for the end of %s', async (_, held_for, intro) => {
  const { outgoing } = ready('a', 'eva');
  const part = { ...outgoing, delivery: { ...outgoing.delivery, held_for } };
  expect((await received([part, part])).text).toContain(intro);
});

test.each([
  ['the organizer of all its messages', 'jan@school.example', [{ name: 'Jan', address: 'jan@school.example' }]],
  ['the school if they have several organizers', 'ida@school.example', undefined],
])('sends answers to %s', async (_, other, expected) => {
  const parts = ['jan@school.example', other].map(
    (address, n) => ready(`r${n}`, 'd1', { reply_to: { name: 'Jan', address } }).outgoing,
  );
  expect((await received(parts)).replyTo).toEqual(expected);
});

test.each([
  ['en', 'Lipová: Reminder: Choir', ['Reminder: Choir', 'Friday 16 October', 'Friday 23 October', 'Aula']],
  ['cs', 'Lipová: Připomínka: Choir', ['Připomínka: Choir', 'pátek 16. října', 'pátek 23. října', 'Aula']],
] as const)(
  'in %s, messages about dates of one series are one entry that names the dates',
  async (locale, subject, lines) => {
    const part = (id: string, more: Partial<Outgoing['content']['event']>, series_id = 'choir') => {
      const one = ready(id, 'eva', { trigger: 'reminder.due', series_id }, locale).outgoing;
      const event = {
        ...one.content.event,
        title: 'Choir',
        place: 'Aula',
        contact: '',
        url: `https://b/${id}`,
        ...more,
      };
      return { ...one, content: { ...one.content, event } };
    };
    const [first, second] = [part('a', { when: lines[1] }), part('b', { when: lines[2] })];
    const one = await received([first, second]);
    expect(one.subject).toBe(subject);
    expect(one.text).toContain(`\n${[...lines, 'https://b/a'].join('\n')}\n\n`);
    expect(one.html?.match(/<h3/g)).toHaveLength(1);
    // A message about several dates lists them, as it does when it is sent alone.
    const whole = await received([part('c', { when: '2 dates', dates: `${lines[1]}\n${lines[2]}` })]);
    expect(whole.text).toContain(`${lines[0]}\n2 dates\n${lines[1]}\n${lines[2]}\nAula\n`);
    // Another series, or another place, is an entry of its own.
    const apart = await received([first, part('d', {}, 'fair'), part('e', { place: 'Gym' })]);
    expect(apart.html?.match(/<h3/g)).toHaveLength(3);
  },
);

test('announcements in a digest have their description and files, reminders have not', async () => {
  const details = { description: 'Stalls & music.\n\nBring a bag.', attachments: 'Map.pdf: https://b/map.pdf' };
  const mailOf = async (trigger: 'event.published' | 'reminder.due') => {
    const { outgoing } = ready('a', 'eva', { trigger });
    const content = { ...outgoing.content, event: { ...outgoing.content.event, ...details } };
    return received([{ ...outgoing, content }]);
  };
  const mail = await mailOf('event.published');
  expect(mail.text).toContain(`\n${details.description}\n${details.attachments}\n`);
  expect(mail.html).toContain('Stalls &amp; music.<br>\n<br>\nBring a bag.<br>\nMap.pdf');
  expect((await mailOf('reminder.due')).text).not.toContain('Stalls');
});

test.each([
  ['en', 'For: Eva, Jan', 'Meetings: 16:20–16:30, Jan Dvořák'],
  ['cs', 'Týká se: Eva, Jan', 'Schůzky: 16:20–16:30, Jan Dvořák'],
] as const)(
  'the digest in %s says whom a message concerns and names the meetings',
  async (locale, people, meetings) => {
    const { outgoing } = ready('a', 'eva', {}, locale);
    const person = { ...outgoing.person, on_behalf_of: 'Eva, Jan', meetings: '16:20–16:30, Jan Dvořák' };
    const { text } = await received([{ ...outgoing, person }]);
    expect(text).toContain(`\n${meetings}\n${people}\n`);
  },
);

test('has web addresses as links in HTML, that for confirming having read included', async () => {
  const { outgoing } = ready('a', 'night');
  const event = { ...outgoing.content.event, description: 'See https://lipova.example/list.' };
  const url = 'https://school.example/ack/1';
  const content = { ...outgoing.content, event };
  const { html } = await received([{ ...outgoing, content, person: { ...outgoing.person, acknowledgement_url: url } }]);
  expect(html).toContain('See <a href="https://lipova.example/list">https://lipova.example/list</a>.');
  expect(html).toContain(`<a href="${url}">${url}</a>`);
});
