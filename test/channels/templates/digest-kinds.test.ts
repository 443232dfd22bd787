import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { contentFor, factOf, jana } from './texts-samples.ts';
import { digestOf } from './written-mail.ts';

/** A digest with one message, as its reader's mail program reads it. */
const received = (trigger: Trigger, changes: Parameters<typeof contentFor>[1] = {}) =>
  PostalMime.parse(digestOf([{ content: contentFor(trigger, changes), person: jana, delivery: { held_for: null } }]));

/** Messages with a calendar object are sent alone. */
const DIGESTED = ALL_TRIGGERS.filter((one) => ruleOf(one).deferral && !ruleOf(one).calendar);

test.each(DIGESTED)('a digest says what kind of message %s is, as the inbox does', async (trigger) => {
  const mail = await received(trigger);
  const title = mail.subject?.replace('Základní škola Lipová: ', '') ?? '';
  // Messages of staff have their own subject.
  expect(title).toMatch(trigger.startsWith('message') ? /^Autumn fair/ : /^\w[\w ]+: Autumn fair$/);
  expect(mail.text).toContain(`\n${title}\n`);
});

test('a digest says that an event that was announced before takes place', async () => {
  const again = { fact: factOf('event.published', { sequence: 2, schedule_version: 2 }) };
  expect((await received('event.published', again)).text).toContain('\nTaking place: Autumn fair\n');
});

test('a digest says which announced events take registrations', async () => {
  const en = await received('event.published');
  expect(en.text).toContain('\nYou can register on the event page.\n');
  expect(en.html).toContain('You can register on the event page.');
  expect((await received('event.published', { locale: 'cs' })).text).toContain(
    '\nPřihlásit se můžete na stránce akce.\n',
  );
  expect((await received('reminder.due')).text).not.toContain('register');
});

test('a digest says what a revision means, and no place that may change', async () => {
  const { text } = await received('event.unpublished');
  expect(text).toContain('Being revised: Autumn fair\n');
  expect(text).toContain('\nDetails may change. Your registration or place on the waitlist stays valid.\n');
  expect(text).not.toContain('Aula');
  const cs = await received('event.unpublished', { locale: 'cs' });
  expect(cs.text).toContain('\nPodrobnosti se mohou změnit. Vaše přihláška nebo místo');
});

test('a digest says that an event starts today, since only start notices of whole days wait for the morning', async () => {
  const wholeDay = { about: { all_day: true } };
  expect((await received('event.starting', wholeDay)).text).toContain('Starting today: Autumn fair\n');
  expect((await received('event.starting', { ...wholeDay, locale: 'cs' })).text).toContain(
    'Dnes začíná: Autumn fair\n',
  );
});
