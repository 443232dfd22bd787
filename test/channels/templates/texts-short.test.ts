import { describe, expect, test } from 'vitest';
import { BUNDLE } from '../../../src/build/compile-texts.ts';
import { loadTexts } from '../../../src/channels/templates/catalogue.ts';
import { foldForSms, outsideGsm7, septets } from '../../../src/channels/templates/short-texts.ts';
import { scheduleOf } from '../../../src/events/rules/schedule.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { LOCALES } from '../../../src/people/contact.ts';
import { contentFor, factOf, fair, jana, oldDates, sender } from './texts-samples.ts';

const texts = loadTexts(BUNDLE);

const WITHOUT_A_NEW_DATE = factOf('event.postponed', {
  previous: oldDates,
  reason: 'The band is ill.',
  date_known: false,
});
const smsOf = (trigger: Trigger, changes: Parameters<typeof contentFor>[1] = {}, person = jana) =>
  texts.sms(contentFor(trigger, { channel: 'sms', ...changes })).fill(person);

const cases = ALL_TRIGGERS.flatMap((trigger) => LOCALES.map((locale) => ({ trigger, locale })));

describe('an SMS', () => {
  const about = {
    title: 'Příliš žluťoučký kůň „úpěl“ ďábelské ódy – a pak ještě jednou 🎉 `znovu`',
    location: { name: 'Kavárna Žížala', room: 'Ž1', address: 'Dlouhá třída 123/45, Ústí nad Orlicí' },
  };
  const reading = 'Sál je bohužel vytopený… a oprava potrvá déle, než jsme čekali';
  const person = { ...jana, name: 'Žaneta “Žaňa” Šťastná', on_behalf_of: 'Řehoř, Ďáblík' };

  test.each(cases)(
    'of $trigger in $locale is one line of the GSM alphabet, short, with the link',
    ({ trigger, locale }) => {
      const content = contentFor(trigger, { channel: 'sms', locale, about });
      const sms = texts
        .sms({ ...content, event: { ...content.event, reason: content.event.reason && reading } })
        .fill(person);
      expect(outsideGsm7(sms)).toEqual([]);
      expect(sms).not.toMatch(/\n|\{\{|undefined| {2}/);
      expect(sms).toContain('ZS Lipova: ');
      expect(sms).toMatch(
        / https:\/\/school\.example\/(inbox|events\/0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b|place\/[\w-]{38})$/,
      );
      expect(septets(sms)).toBeLessThanOrEqual(306);
    },
  );

  test('about an ordinary event fits in one message in every language', () => {
    for (const trigger of [
      'event.cancelled',
      'event.postponed',
      'event.changed',
      'event.unpublished',
      'reminder.due',
      'acknowledgement.due',
    ] as const) {
      for (const locale of LOCALES) {
        const person = { ...jana, meetings: '', on_behalf_of: 'Eva' };
        const sms = smsOf(trigger, { locale }, person);
        expect(septets(sms), sms).toBeLessThanOrEqual(160);
      }
    }
  });

  test.each(['en', 'cs'] as const)('about a postponement without a new date fits in one message in %s', (locale) => {
    const content = contentFor('event.postponed', { channel: 'sms', locale, fact: WITHOUT_A_NEW_DATE });
    const sms = texts.sms(content).fill(jana);
    expect(septets(sms), sms).toBeLessThanOrEqual(160);
    expect(sms).toContain(locale === 'en' ? '. New date to follow. ' : '. Novy termin oznamime. ');
    const dates = texts.sms({ ...content, event: { ...content.event, dates: 'Monday' } }).fill(jana);
    expect(dates).toContain(locale === 'en' ? 'New dates to follow.' : 'Nove terminy oznamime.');
  });

  test('names the children of a reader in few letters, so that a reminder of a school trip fits in one message', () => {
    const about = { title: 'Škola v přírodě', all_day: true, start_time: null, end_time: null, end_date: '2026-09-11' };
    const sms = smsOf('reminder.due', { locale: 'cs', about }, { ...jana, meetings: '' });
    expect(sms).toContain('Skola v prirode, Po 7. 9. - Pa 11. 9. (Eva, Jan), Aula');
    expect(septets(sms), sms).toBeLessThanOrEqual(160);
  });

  test.each(['en', 'cs'] as const)('that asks for a confirmation fits in one message in %s', (locale) => {
    const about = { title: 'Podzimní slavnost', asks_acknowledgement: true };
    const sms = smsOf('event.published', { locale, about });
    expect(sms).toContain(locale === 'en' ? ". Reply OK if you've read this. " : '. Po precteni odpovezte OK. ');
    expect(septets(sms), sms).toBeLessThanOrEqual(160);
  });

  test.each([
    ['The heating has failed', 'The heating has failed. Reply OK if'],
    ['The heating has failed.', 'The heating has failed. Reply OK if'],
    ['Stay at home!', 'Stay at home! Reply OK if'],
  ])('asks after the sentence %s for an answer', (description, expected) => {
    expect(smsOf('message.school', { about: { description, asks_acknowledgement: true } })).toContain(expected);
  });

  test('puts no full stop after a title that ends as a sentence', () => {
    const sms = smsOf('event.unpublished', { about: { title: 'Who will win?' } });
    expect(sms).toContain('Who will win? Details may change; your registration stays valid.');
  });

  test('never contains half a link to a meeting', () => {
    const location = { isVirtual: true, virtualLink: 'https://meet.example/a-room-with-a-rather-long-name' };
    const sms = smsOf('event.changed', { about: { location } });
    expect(sms).toContain(', Online https://school.example/events/');
    expect(sms).not.toContain('meet.example');
  });

  test('never contains half a link of what staff wrote', () => {
    const description = `${'Bring boots. '.repeat(11)}Sign: https://forms.example/a-long-name`;
    const sms = smsOf('message.school', { about: { description } });
    expect(sms).toMatch(/Sign:\.\.\. https:\/\/school\.example\/\S+$/);
  });

  test.each([
    ['Šťastný kůň', 'Stastny kun'],
    ['18:00–19:30 — „už“ zítra…', '18:00-19:30 - "uz" zitra...'],
    ['50 €', '50 €'],
    ['Größe, Ærø, Zoé Müller', 'Größe, Ærø, Zoé Müller'],
    ['Zo\u0308e', 'Zöe'],
    ['Nové dětské hřiště', 'Nove detske hriste'],
    ['Łódź, Façade, œuvre, ế', 'Lodz, Facade, oeuvre, e'],
    ['party 🎉👨‍👩‍👧 now', 'party now'],
    ['it`s', "it's"],
    ['5′ by 10″, e‐mail', `5' by 10", e-mail`],
    [
      'flags 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} and soft\u00ad hy\u2060phens',
      'flags and soft hyphens',
    ],
    ['Школа', 'Школа'],
    ['Йога', 'Йога'],
  ])('writes %s as %s', (value, folded) => {
    expect(foldForSms(value)).toBe(folded);
  });
});

describe('a push message', () => {
  test.each([
    ['en', 'This event has been cancelled.'],
    ['cs', 'Tato akce byla zrušena.'],
  ] as const)('of a cancelled event without a date is a whole sentence in %s', (locale, sentence) => {
    const content = contentFor('event.cancelled', { channel: 'push', locale });
    const event = { ...content.event, when_short: '', reason: '' };
    expect(texts.push({ ...content, event }).fill({ ...jana, on_behalf_of: '' }).body).toBe(sentence);
  });

  test.each(cases)('of $trigger in $locale has a title and a body within the size limit', ({ trigger, locale }) => {
    const long = 'ž'.repeat(200);
    const content = contentFor(trigger, { channel: 'push', locale, about: { title: long, location: { name: long } } });
    const reason = content.event.reason && 'ř'.repeat(1000);
    const { title, body } = texts
      .push({ ...content, event: { ...content.event, reason } })
      .fill({ ...jana, on_behalf_of: long });
    expect(title).not.toMatch(/\n|\{\{|undefined/);
    expect(body).not.toMatch(/\{\{|undefined/);
    expect(Buffer.byteLength(JSON.stringify({ title, body }))).toBeLessThan(2000);
  });
});

describe('an in-app message', () => {
  test.each(cases)(
    'of $trigger in $locale names the event, the time and the person concerned',
    ({ trigger, locale }) => {
      const content = contentFor(trigger, { channel: 'in_app', locale });
      const { title, body } = texts.inApp(content).fill(jana);
      expect(title).toContain(content.event.title);
      expect(body).toContain(content.event.when);
      expect(body).toContain('Eva, Jan');
      expect(texts.inApp(content).fill({ ...jana, on_behalf_of: '' }).body).not.toContain(
        locale === 'en' ? 'For' : 'Týká',
      );
    },
  );

  test('is plain text, unescaped and complete', () => {
    const title = `<script>"O'Neill" & co</script>`;
    const message = texts.inApp(contentFor('event.changed', { channel: 'in_app', about: { title } })).fill(jana);
    expect(message).toEqual({
      title: `Changed: ${title}`,
      body:
        'Now Monday 7 September 2026, 18:00–19:30, Aula, room 12, Main building, Lipová 4, Praha\n' +
        'Previously: Tuesday 1 September 2026, 17:00–18:30\nFor: Eva, Jan',
    });
  });
});

test.each([
  ['en', null, 'You can register on the event page.'],
  ['cs', null, 'Přihlásit se můžete na stránce akce.'],
  ['en', new Date('2026-09-04T10:00:00Z'), 'Please register by: Friday 4 September 2026, 12:00'],
] as const)('an announcement in the inbox says how to register, in %s with the deadline %s', (locale, at, expected) => {
  const of = (about: object) => {
    const content = contentFor('event.published', { channel: 'in_app', locale, about });
    return texts
      .inApp(content)
      .fill({ ...jana, on_behalf_of: '' })
      .body.split('\n')
      .at(-1);
  };
  expect(of({ registration_type: 'optional', registration_deadline: at })).toBe(expected);
  expect(of({ registration_type: 'none' })).not.toContain(locale === 'en' ? 'register' : 'ihlás');
});

test.each([
  ['en', false, 'Starting now: Autumn fair'],
  ['en', true, 'Starting today: Autumn fair'],
  ['cs', false, 'Právě začíná: Autumn fair'],
  ['cs', true, 'Dnes začíná: Autumn fair'],
] as const)('a start notice in %s about an event that lasts all day (%s) begins with %s', (locale, all_day, title) => {
  const times = all_day ? { all_day, start_time: null, end_time: null } : {};
  const of = (channel: 'push' | 'in_app' | 'sms') => contentFor('event.starting', { channel, locale, about: times });
  expect([texts.push(of('push')).fill(jana).title, texts.inApp(of('in_app')).fill(jana).title]).toEqual([title, title]);
  expect(texts.sms(of('sms')).fill(jana).toLowerCase()).toContain(`: ${foldForSms(title).toLowerCase()}, aula`);
});

test('a push message names the reason of a postponement', () => {
  expect(texts.push(contentFor('event.postponed')).fill(jana).body).toContain('\nThe band is ill.\nFor: ');
});

describe('a full stop', () => {
  const day = { all_day: true, start_time: null, end_time: null };
  // In Czech a short date ends with one.
  test.each(
    cases.flatMap((one) => ['email', 'sms', 'push', 'in_app'].map((channel) => ({ ...one, channel }) as const)),
  )('is not doubled in $trigger in $locale by $channel', ({ trigger, locale, channel }) => {
    const about = { ...day, title: 'Konec roku.', location: null, location_name: 'Aula č. 2.' };
    const content = contentFor(trigger, { channel: channel as 'sms', locale, about });
    const ends = { ...content, school: { ...content.school, name: 'Lipová s.r.o.', sender_name: 'Lipová s.r.o.' } };
    const titled = (prepared: { fill(person: typeof jana): { title: string; body: string } }) => {
      const { title, body } = prepared.fill(jana);
      return `${title}\n${body}`;
    };
    const text =
      channel === 'sms'
        ? texts.sms(ends).fill(jana)
        : channel === 'push'
          ? titled(texts.push(ends))
          : channel === 'in_app'
            ? titled(texts.inApp(ends))
            : String(
                texts.email(ends, sender).fill({
                  address: 'jana@people.example',
                  person: jana,
                  messageId: 'delivery-1',
                  date: new Date(0),
                  draftedAt: new Date(0),
                }),
              );
    expect(text.replaceAll('...', '…')).not.toMatch(/\.\./);
  });
});

test.each([
  ['en', 'The new dates are not known yet'],
  ['cs', 'Nové termíny zatím neznáme'],
] as const)('a postponement of several dates without new ones says so of all, in %s', (locale, sentence) => {
  const of = (channel: 'push' | 'in_app') => {
    const content = contentFor('event.postponed', { channel, locale, fact: WITHOUT_A_NEW_DATE });
    return { ...content, event: { ...content.event, dates: 'Monday' } };
  };
  expect(texts.push(of('push')).fill(jana).body).toContain(sentence);
  expect(texts.inApp(of('in_app')).fill(jana).body).toContain(sentence);
});

test.each([
  ['en', 'The new date is not known yet'],
  ['cs', 'Nový termín zatím neznáme'],
] as const)('a confirmation without a date ends with the sentence that says so, in %s', (locale, sentence) => {
  const about = { status: 'postponed', postponed_to: null } as const;
  const person = { ...jana, meetings: '', on_behalf_of: '' };
  const of = (channel: 'push' | 'in_app') => contentFor('registration.confirmed', { channel, locale, about });
  for (const text of [texts.push(of('push')).fill(person).body, texts.inApp(of('in_app')).fill(person).body])
    expect(text).toMatch(new RegExp(`^${sentence}[^,]*\\.$`));
});

describe('a moved event', () => {
  test('names the old time, because people may have several events of that name', () => {
    expect(smsOf('event.changed')).toContain('now Mon 7 Sep, 18:00 (was Tue 1 Sep, 17:00), Aula');
    expect(smsOf('event.postponed')).toContain(', Mon 7 Sep, 18:00 (was Tue 1 Sep, 17:00). Can');
    expect(smsOf('event.changed', { locale: 'cs' })).toContain('nove Po 7. 9. 18:00 (drive Ut 1. 9. 17:00), Aula');
    expect(texts.push(contentFor('event.postponed')).fill(jana).body).toContain('\nPreviously: Tue 1 Sep, 17:00\n');
  });

  test('names the zone of both times once, after a comma', () => {
    expect(smsOf('event.changed', { timezone: 'Asia/Tokyo' })).toContain(
      'now Mon 7 Sep, 18:00, Prague time (was Tue 1 Sep, 17:00), Aula',
    );
  });

  test('names the old time also if the new one is not known', () => {
    const sms = smsOf('event.postponed', { fact: WITHOUT_A_NEW_DATE });
    expect(sms).toContain('POSTPONED: Autumn fair (was Tue 1 Sep, 17:00). New date to');
  });

  test('names both ends if only the end has changed', () => {
    const fact = factOf('event.changed', { previous: { ...scheduleOf(fair()), end_time: '19:00' } });
    expect(smsOf('event.changed', { fact })).toContain(
      'now Monday 7 September 2026, 18:00-19:30 (was Monday 7 September 2026, 18:00-19:00), Aula',
    );
  });
});

test.each([
  ['registration.cancelled', ' (for Eva, Jan). Why:'],
  ['registration.confirmed', ' (for Eva, Jan), Aula'],
  ['reminder.due', ' (for Eva, Jan), Aula'],
] as const)('an SMS of %s names the children', (trigger, expected) => {
  expect(smsOf(trigger)).toContain(`Mon 7 Sep, 18:00${expected}`);
});

test('an in-app message of staff about an event without a date has no empty line', () => {
  const about = { status: 'postponed', postponed_to: null } as const;
  const { body } = texts.inApp(contentFor('message', { channel: 'in_app', about })).fill(jana);
  expect(body).toMatch(/We meet at the gate\.\nFor: Eva, Jan$/);
});

describe('a change of place', () => {
  const previous_place = { location_name: null, location: { name: 'Gym', room: '3' } };
  const fact = factOf('event.changed', { previous: oldDates, previous_place });
  const changed = (locale: 'en' | 'cs') => contentFor('event.changed', { channel: 'sms', locale, fact });

  test('names the old and the new place', () => {
    expect(texts.sms(changed('en')).fill(jana)).toContain(', Aula, room 12 (not Gym, room 3) https://');
    expect(texts.sms(changed('cs')).fill(jana)).toContain(', Aula, mistnost 12 (drive Gym, mistnost 3) https://');
    expect(texts.push(changed('en')).fill(jana).body).toContain('\nPrevious place: Gym, room 3');
    expect(texts.inApp(changed('cs')).fill(jana).body).toContain('\nPůvodní místo: Gym');
  });

  test.each(['optional', 'required'] as const)(
    'that is only another meeting link is named as one, with registration %s',
    (registration_type) => {
      const online = (id: string) => ({
        location_name: null,
        location: { isVirtual: true, virtualLink: `https://meet.example/${id}` },
      });
      const about = { registration_type, ...online('new') };
      const moved = factOf('event.changed', { previous: scheduleOf(fair()), previous_place: online('old') });
      const content = (channel: 'sms' | 'push' | 'in_app') =>
        contentFor('event.changed', { channel, fact: moved, about });
      expect(texts.sms(content('sms')).fill(jana)).toContain(
        'now Mon 7 Sep, 18:00, Online. The meeting link has changed. https://',
      );
      expect(texts.push(content('push')).fill(jana).body).toBe(
        'Now Mon 7 Sep, 18:00, Online\nThe meeting link has changed.\nFor: Eva, Jan',
      );
      expect(texts.inApp(content('in_app')).fill(jana).body).toContain(
        registration_type === 'required'
          ? ', Online\nThe meeting link has changed.'
          : '\nPrevious place: Online: https://meet',
      );
    },
  );

  test('is not mentioned if the place reads the same', () => {
    const previous_place = { location_name: null, location: fair().location };
    const same = factOf('event.changed', { previous: oldDates, previous_place });
    expect(contentFor('event.changed', { fact: same }).event.previous_place).toBe('');
  });
});
