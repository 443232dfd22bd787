import { describe, expect, test } from 'vitest';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { LOCALES } from '../../../src/people/contact.ts';
import { contentFor, factOf, jana } from './texts-samples.ts';
import { DELIVERY, received, written } from './written-mail.ts';

const headersOf = (raw: string): string[] =>
  raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.split(':')[0] ?? '');

const AWKWARD: Record<string, string> = {
  diacritics: 'Žaneta Příliš-Žluťoučká',
  'quotes and apostrophes': `Jana "Jája" O'Neill & co; <b>`,
  'a script': '<script>alert("1")</script>',
  'three hundred characters': 'Jana Nováková '.repeat(22).trim().slice(0, 300),
  'three hundred characters without a blank': 'ž'.repeat(300),
  emoji: 'Jana 🎉👩‍👩‍👧 Nováková',
  'equals signs': '=C3=A1==3D =',
  'a dot at its start': '.jana',
  'a mailbox separator at its start': 'From Jana',
  'a percent and a dollar': '$& $1 %s {name} {{person.name}}',
};

describe('a person', () => {
  for (const [what, name] of Object.entries(AWKWARD)) {
    test(`with ${what} in the name reads it unchanged, in text and HTML`, async () => {
      const mail = await received(written(contentFor('event.published'), { name }));
      expect(mail.text).toContain(`Hello ${name},\n`);
      expect(mail.html).toContain(`>Hello ${escaped(name)},<`);
      expect(mail.html).not.toContain('<script>');
    });
  }

  test('without a name is greeted without one', async () => {
    const mail = await received(written(contentFor('event.published'), { name: '' }));
    expect(mail.text).toMatch(/^Hello,\n/);
    expect(mail.text).toContain('sent this message.\n');
  });

  test('reads whom the message is about only if that is another person', async () => {
    const content = contentFor('event.cancelled');
    expect((await received(written(content))).text).toContain('For: Eva, Jan\n');
    expect((await received(written(content, { on_behalf_of: '' }))).text).not.toContain('For:');
  });

  test('cannot break or add headers with line ends and controls', async () => {
    const evil = 'Jana\r\nBcc: all@school.example\r\n\r\n<p>\u0000\u2028\u202e';
    const link = 'https://school.example/u/1\r\nBcc: x@y.example, <evil>';
    const raw = written(contentFor('event.published'), { name: evil, on_behalf_of: evil, unsubscribe_url: link });
    expect(headersOf(raw)).toEqual(headersOf(written(contentFor('event.published'))));
    const mail = await received(raw);
    expect(mail.text).toContain('Hello Jana Bcc: all@school.example <p>,\n');
    expect(mail.bcc).toBeUndefined();
  });
});

test('buttons have the color of the school, and its logo stands above its name', async () => {
  const content = contentFor('event.published');
  const look = { color: '#7a1f3d', logo_url: 'https://lipova.example/logo.png?a=1&b=2' };
  const mail = await received(written({ ...content, school: { ...content.school, ...look } }));
  expect(mail.html).toContain('bgcolor="#7a1f3d"');
  expect(mail.html).toContain('background:#7a1f3d');
  expect(mail.html).toContain('<img src="https://lipova.example/logo.png?a=1&amp;b=2" alt ');
  expect((await received(written(content))).html).not.toContain('<img');
});

test('a mail is readable and prints over several pages in programs that drop media queries', async () => {
  const { html = '' } = await received(written(contentFor('event.published')));
  const css = html.replace(/@media[^{]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  expect(css).toContain('body { color: #22302f; }');
  expect(css).toContain('a { color: #1b5083; }');
  expect(css).toContain('.mj-column-per-100 { display: block !important; }');
});

describe('the event', () => {
  test('keeps awkward titles, places and reasons in text, HTML and subject', async () => {
    for (const title of Object.values(AWKWARD)) {
      const content = contentFor('event.cancelled', { about: { title, location: { name: title } } });
      const mail = await received(written(content));
      expect(mail.subject).toBe(`Cancelled: ${title}, Mon 7 Sep, 18:00`);
      expect(mail.text).toContain(`\n${title}\n`);
      expect(mail.text?.toLowerCase()).toContain(`where: ${title.toLowerCase()}\n`);
      expect(mail.html).toContain(`>${escaped(title)}</div>`);
    }
  });

  test('keeps the lines of its description, including those that start with a dot', async () => {
    const description = 'One\r\n.two\n\nFrom three\n.\nfour';
    const mail = await received(written(contentFor('event.published', { about: { description } })));
    expect(mail.text).toContain('One\n.two\n\nFrom three\n.\nfour\n');
    expect(mail.html).toContain('One<br>\n.two<br>\n<br>\nFrom three');
  });

  test('has the web addresses of its place, description and files as links in HTML', async () => {
    const description = 'See https://lipova.example/list?a=1&b="2". <https://lipova.example/map>';
    const location = { isVirtual: true, virtualLink: 'https://meet.example/abc' };
    const attachments = [{ name: 'Plan', url: 'https://files.example/plan.pdf' }];
    const about = { description, location, attachments, registration_type: 'none' as const };
    const { html = '' } = await received(written(contentFor('event.published', { about })));
    const links = [...html.matchAll(/<a href="([^"]+)">\1<\/a>/g)].map(([, address]) => address);
    expect(new Set(links)).toEqual(
      new Set([
        'https://meet.example/abc',
        'https://lipova.example/list?a=1&amp;b=&quot;2&quot;',
        'https://lipova.example/map',
        'https://files.example/plan.pdf',
      ]),
    );
  });

  test('with an encoded word in its title shows it as it was typed', async () => {
    const title = '=?utf-8?Q?Free_beer?=';
    const mail = await received(written(contentFor('event.published', { about: { title } })));
    expect(mail.subject).toBe(`${title}, Mon 7 Sep, 18:00`);
  });
});

describe('the announcement of an event that is published again', () => {
  const again = (changes: Parameters<typeof contentFor>[1] = {}) =>
    contentFor('event.published', { fact: factOf('event.published', { sequence: 2 }), ...changes });

  test('says when the event takes place, also to people who hear of it for the first time, and what became of registrations, in both languages', async () => {
    const en = await received(written(again()));
    expect(en.text).toContain(
      'This event will go ahead. The current details are below. Earlier registrations remain valid.\n',
    );
    expect(en.html).toContain('>Taking place<');
    const cs = await received(written(again({ locale: 'cs' })));
    expect(cs.text).toContain(
      'tato akce se uskuteční. Aktuální údaje najdete níže. Dřívější přihlášky zůstávají v platnosti.\n',
    );
    expect([en.text, cs.text].join()).not.toMatch(/new event|nové akci/);
    const open = await received(written(again({ about: { registration_type: 'none' } })));
    expect(open.text).toContain('This event will go ahead. The current details are below.\n');
  });

  test('updates the calendars of people who come, and has the date as a file for others', async () => {
    const filesOf = async (to: Parameters<typeof written>[2]) =>
      (await received(written(again(), {}, to))).attachments.flatMap(({ filename }) => filename ?? []);
    expect(await filesOf({})).toEqual(['invite.ics']);
    expect(await filesOf({ attendee: { reply_to: null, partstat: null } })).toEqual(['dates.ics']);
  });

  test('of a series says that the file has the dates to which people come, or for others all dates', async () => {
    const series = again();
    series.event.dates = 'Mon 7 Sep\nMon 14 Sep';
    const read = async (person: Parameters<typeof written>[1]) => (await received(written(series, person))).text;
    expect(await read({ attends: 'yes' })).toContain('The attached file updates your dates in your calendar.');
    expect(await read({})).toContain('The attached file adds all dates to your calendar.');
  });
});

test('the end of a registration names a file that removes the event only if no one of the family comes', async () => {
  const ended = contentFor('registration.cancelled');
  expect((await received(written(ended))).text).toContain('the attached file removes it');
  expect((await received(written(ended, { attends: 'yes' }))).text).not.toContain('attached');
});

test('a postponement whose new date is not known yet asks who can no longer come at all', async () => {
  const unknown = contentFor('event.postponed', { fact: factOf('event.postponed', { date_known: false }) });
  const { text, html } = await received(written(unknown));
  expect(text).toContain('Can no longer come? Please give up your place here');
  expect([text, html].join()).not.toContain('on the new date');
});

const UNKNOWN = { fact: factOf('event.postponed', { date_known: false }) };

describe('a mail names the next step, or whom to ask', () => {
  test.each<[Trigger, 'en' | 'cs', Parameters<typeof contentFor>[1], string]>([
    ['reminder.due', 'en', {}, 'If your plans change, please cancel on the event page.'],
    ['reminder.due', 'cs', {}, 'Pokud se Vaše plány změní, zrušte prosím přihlášku na stránce akce.'],
    ['event.cancelled', 'en', {}, 'If you have any questions, please contact the school.'],
    ['event.cancelled', 'cs', {}, 'S dotazy se prosím obraťte na školu.'],
    ['event.postponed', 'en', UNKNOWN, 'the attached file removes it until then.'],
    ['event.postponed', 'cs', UNKNOWN, 'přiložený soubor ji z něj zatím odstraní.'],
    ['registration.cancelled', 'cs', {}, 'přiložený soubor ji z něj odstraní.'],
  ])('%s in %s', async (trigger, locale, changes, expected) => {
    const { text, html } = await received(written(contentFor(trigger, { locale, ...changes })));
    for (const body of [text, html]) expect(body?.replaceAll(/\s+/g, ' ')).toContain(expected);
  });
});

test.each(LOCALES)('a mail about an exam wishes no fun, in %s', async (locale) => {
  for (const trigger of ['event.starting', 'reminder.due'] as const)
    expect((await received(written(contentFor(trigger, { locale })))).text).not.toContain('!');
});

describe('every message', () => {
  const cases = ALL_TRIGGERS.flatMap((trigger) => LOCALES.map((locale) => ({ trigger, locale })));

  test.each(cases)(
    '$trigger in $locale has text, HTML with a heading, a subject, a preview, and both links',
    async ({ trigger, locale }) => {
      const content = contentFor(trigger, { locale });
      const mail = await received(written(content));
      expect(mail.subject).toContain(content.event.title);
      expect(mail.html).toContain(`lang="${locale}"`);
      expect(mail.html).toContain('display:none');
      expect(mail.html).toContain('role="heading" aria-level="1"');
      // A message of the school is all there is to read: its mail has no details and no page to open.
      const isWhole = content.event.when !== '' || trigger === 'event.unpublished';
      for (const body of [mail.text, mail.html]) {
        expect(body).toContain(isWhole ? content.event.title : content.message.body.split('\n')[0]);
        expect(body).toContain(content.event.when);
        if (isWhole) expect(body).toContain(content.event.url);
        expect(body).toContain(jana.unsubscribe_url);
        expect(body).not.toMatch(/\{\{|undefined|\[object|attendee/);
      }
    },
  );

  test.each(cases)('$trigger in $locale has short ASCII lines that end in CRLF', ({ trigger, locale }) => {
    const about = { title: 'Příliš žluťoučký kůň '.repeat(9).trim(), description: `${'dlouhá řádka '.repeat(100)}=` };
    const address = `${'a'.repeat(60)}.${'b'.repeat(3)}@${'sub.'.repeat(40)}example`;
    for (const name of Object.values(AWKWARD)) {
      const raw = written(contentFor(trigger, { locale, about }), { name, on_behalf_of: name }, { address });
      expect(raw).toMatch(/^[\x20-\x7e\r\n]*$/);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const split = raw.indexOf('\r\n\r\n');
      expect(raw.slice(split)).not.toMatch(/^.{77}/m);
      // addresses and links can't be folded, everything else is
      expect(raw.slice(0, split)).not.toMatch(/^(?!(To|List-Unsubscribe|Message-ID|Feedback-ID): ).{79}|^.{999}/m);
      expect(raw.slice(split)).not.toMatch(/^(\.|From )/m);
    }
  });

  test('has exactly the expected headers and one recipient', async () => {
    const raw = written(contentFor('event.cancelled'));
    expect(headersOf(raw)).toEqual([
      'Message-ID',
      'Date',
      'To',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
      'From',
      'Subject',
      'Feedback-ID',
      'Auto-Submitted',
      'MIME-Version',
      'Content-Type',
    ]);
    const mail = await received(raw);
    const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
    expect(mail.messageId).toBe(`<${DELIVERY}@school.example>`);
    expect(mail.to).toEqual([{ address: 'jana@home.example', name: '' }]);
    expect(mail.from).toEqual({ address: 'school@school.example', name: 'ZŠ Lipová' });
    expect(header('date')).toBe('Thu, 20 Aug 2026 10:15:30 +0000');
    expect(header('list-unsubscribe')).toBe(`<${jana.unsubscribe_url}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('feedback-id')).toBe('event.cancelled:0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b:tenant-1:schoolbell');
    expect(header('auto-submitted')).toBe('auto-generated');
  });

  test.each([
    ['Jan Dvořák', 'Jan Dvořák'],
    ['Jan\r\nBcc: x@y.example', 'Jan Bcc: x@y.example'],
    ['', ''],
  ])('sends answers to the organizer %j', async (name, shown) => {
    const organizer = { type: 'staff' as const, name, email: 'jan@school.example' };
    const raw = written(contentFor('event.published', { about: { organizer } }));
    expect((await received(raw)).replyTo).toEqual([{ address: 'jan@school.example', name: shown }]);
    expect(headersOf(raw).filter((one) => /^(Reply-To|Bcc)$/i.test(one))).toEqual(['Reply-To']);
  });

  test.each([
    ['Škola "U Lípy", Praha', 'Škola "U Lípy", Praha'],
    ['Lime Tree School', 'Lime Tree School'],
    ['Head, "the" <school@evil.example>', 'Head, "the" <school@evil.example>'],
    ['=?utf-8?Q?Other_School?=', '=?utf-8?Q?Other_School?='],
    ['School\r\nBcc: x@y.example', 'School Bcc: x@y.example'],
  ])('comes from the same address under any school name: %s', async (sender_name, name) => {
    const content = contentFor('event.published');
    const raw = written({ ...content, school: { ...content.school, sender_name } });
    const mail = await received(raw);
    expect(mail.from).toEqual({ address: 'school@school.example', name });
    expect(headersOf(raw)).toHaveLength(11);
  });
});

const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[one] ?? one,
  );
