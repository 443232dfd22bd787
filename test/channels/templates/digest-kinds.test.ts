import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { digestMail } from '../../../src/channels/templates/digest.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { contentFor, jana, sender } from './texts-samples.ts';

/** A digest with one message, as its reader's mail program reads it. */
const received = (trigger: Trigger, locale: 'en' | 'cs' = 'en') => {
  const part = { content: contentFor(trigger, { locale }), person: jana, delivery: { held_for: null } };
  return PostalMime.parse(
    digestMail([part], sender, { address: 'jana@people.example', messageId: 'a', date: new Date(0) }),
  );
};

/** Messages with a calendar object are sent alone. */
const DIGESTED = ALL_TRIGGERS.filter((one) => ruleOf(one).deferral && !ruleOf(one).calendar);

test.each(DIGESTED)('a digest says what kind of message %s is', async (trigger) => {
  const kind = /^Základní škola Lipová: \w[\w ]+: Autumn fair/;
  expect((await received(trigger)).subject).toMatch(kind);
});

test('a digest says which announced events take registrations', async () => {
  const en = await received('event.published');
  expect(en.text).toContain('\nYou can register on the page of the event.\n');
  expect(en.html).toContain('You can register on the page of the event.');
  expect((await received('event.published', 'cs')).text).toContain('\nPřihlásit se můžete na stránce akce.\n');
  expect((await received('reminder.due')).text).not.toContain('register');
});

test('a digest says what a revision means, and no place that may change', async () => {
  const { text } = await received('event.unpublished');
  expect(text).toContain('Being revised: Autumn fair\n');
  expect(text).toContain('\nDetails may change. Your registration or place on the waitlist stays valid.\n');
  expect(text).not.toContain('Aula');
  const cs = await received('event.unpublished', 'cs');
  expect(cs.text).toContain('\nPodrobnosti se mohou změnit. Vaše přihláška nebo místo');
});

test('a digest says that an event starts today, since only start notices of whole days wait for the morning', async () => {
  expect((await received('event.starting')).text).toContain('Starting today: Autumn fair\n');
  expect((await received('event.starting', 'cs')).text).toContain('Dnes začíná: Autumn fair\n');
});
