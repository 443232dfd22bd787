import { describe, expect, test } from 'vitest';
import { placeInWords } from '../../../src/notifications/content/event-words.ts';
import { ATTENDEE_FIELD } from '../../../src/notifications/content/message.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { contentFor, factOf, fair, oldDates, theSchool } from '../../channels/templates/texts-samples.ts';

const datesUnknown = {
  about: { postponed_to: null },
  fact: factOf('event.postponed', {
    sequence: 3,
    schedule_version: 2,
    change_version: 1,
    reason: 'The band is ill.',
    previous: oldDates,
    date_known: false,
    notify: null,
  }),
};

describe('when', () => {
  const days = { all_day: true, start_time: null, end_time: null };
  test.each([
    ['one evening', {}, 'Monday 7 September 2026, 18:00–19:30', 'pondělí 7. září 2026, 18:00–19:30'],
    [
      'over night',
      { end_date: '2026-09-08', end_time: '08:00' },
      'Monday 7 September 2026, 18:00 – Tuesday 8 September 2026, 08:00',
      'pondělí 7. září 2026, 18:00 – úterý 8. září 2026, 08:00',
    ],
    ['without an end', { end_time: null }, 'Monday 7 September 2026, 18:00', 'pondělí 7. září 2026, 18:00'],
    ['a whole day', days, 'Monday 7 September 2026 (all day)', 'pondělí 7. září 2026 (celý den)'],
    [
      'whole days',
      { ...days, end_date: '2026-10-09' },
      'Monday 7 September – Friday 9 October 2026',
      'pondělí 7. září – pátek 9. října 2026',
    ],
    [
      'whole days over new year',
      { ...days, start_date: '2026-12-23', end_date: '2027-01-03' },
      'Wednesday 23 December 2026 – Sunday 3 January 2027',
      'středa 23. prosince 2026 – neděle 3. ledna 2027',
    ],
    [
      'in a clock gap',
      { start_date: '2027-03-28', end_date: '2027-03-28', start_time: '02:30', end_time: '04:00' },
      'Sunday 28 March 2027, 03:30–05:00',
      'neděle 28. března 2027, 03:30–05:00',
    ],
  ])('of an event %s reads right in both languages', (_, about, en, cs) => {
    expect(contentFor('event.published', { about }).event.when).toBe(en);
    expect(contentFor('event.published', { about, locale: 'cs' }).event.when).toBe(cs);
  });

  test('has a short form with the year only in another year', () => {
    const short = (locale: 'en' | 'cs', about = {}) =>
      contentFor('event.published', { locale, about }).event.when_short;
    expect(short('en')).toBe('Mon 7 Sep, 18:00');
    expect(short('cs')).toBe('Po 7. 9. 18:00');
    const next = { start_date: '2027-01-11', end_date: '2027-01-11' };
    expect(short('en', next)).toBe('Mon 11 Jan 2027, 18:00');
    expect(short('cs', next)).toBe('Po 11. 1. 2027 18:00');
    expect(short('en', { ...days, end_date: '2026-09-09' })).toBe('Mon 7 Sep – Wed 9 Sep');
  });

  test('names the zones only for a reader whose clock shows another time', () => {
    const times = (timezone: string, locale: 'en' | 'cs' = 'en', about = {}) => {
      const { when, when_yours } = contentFor('event.published', { timezone, locale, about }).event;
      return [when, when_yours];
    };
    const here = 'Monday 7 September 2026, 18:00–19:30';
    expect(times('Europe/Prague')).toEqual([here, '']);
    expect(times('Europe/Berlin')).toEqual([here, '']);
    expect(times('No/Where')).toEqual([here, '']);
    expect(times('Asia/Tokyo')).toEqual([`${here}, Prague time`, 'Tuesday 8 September 2026, 01:00–02:30, Tokyo time']);
    expect(times('UTC', 'cs')).toEqual([
      'pondělí 7. září 2026, 18:00–19:30, středoevropský čas',
      'pondělí 7. září 2026, 16:00–17:30, UTC',
    ]);
    const short = contentFor('event.published', { timezone: 'Asia/Tokyo' }).event.when_short;
    expect(short).toBe('Mon 7 Sep, 18:00, Prague time');
    expect(times('Asia/Tokyo', 'en', days)).toEqual(['Monday 7 September 2026 (all day)', '']);
  });

  test('includes the previous dates only if they differ', () => {
    expect(contentFor('event.postponed').event.previous_when).toBe('Tuesday 1 September 2026, 17:00–18:30');
    expect(contentFor('event.changed').event.previous_when).toBe('Tuesday 1 September 2026, 17:00–18:30');
    const { start_date, end_date, start_time, end_time, timezone, all_day } = fair();
    const previous = { start_date, end_date, start_time, end_time, timezone, all_day };
    const change = { sequence: 3, schedule_version: 2, change_version: 1, tell_at: new Date(0) };
    const fact = factOf('event.changed', { ...change, fields: ['location'], previous });
    expect(contentFor('event.changed', { fact }).event.previous_when).toBe('');
    const moved = factOf('event.changed', {
      ...change,
      fields: ['timezone'],
      previous: { ...previous, timezone: 'Europe/London' },
    });
    expect(contentFor('event.changed', { fact: moved }).event).toMatchObject({
      when: 'Monday 7 September 2026, 18:00–19:30, Prague time',
      previous_when: 'Monday 7 September 2026, 18:00–19:30, London time',
      when_short: 'Mon 7 Sep, 18:00, Prague time',
      previous_when_short: 'Mon 7 Sep, 18:00, London time',
    });
  });

  test('names the zone once in a short text with both times', () => {
    const short = (trigger: 'event.postponed' | 'event.changed', changes = {}) => {
      const { when_short, previous_when_short } = contentFor(trigger, { timezone: 'Asia/Tokyo', ...changes }).event;
      return [when_short, previous_when_short];
    };
    expect(short('event.changed')).toEqual(['Mon 7 Sep, 18:00, Prague time', 'Tue 1 Sep, 17:00']);
    expect(short('event.postponed', datesUnknown)).toEqual(['', 'Tue 1 Sep, 17:00, Prague time']);
  });

  test('is left out while the new date is unknown', () => {
    expect(contentFor('event.postponed', datesUnknown).event).toMatchObject({
      date_known: false,
      when: '',
      when_short: '',
      when_yours: '',
      previous_when: 'Tuesday 1 September 2026, 17:00–18:30',
    });
    const confirmed = contentFor('registration.confirmed', { about: { status: 'postponed', postponed_to: null } });
    expect(confirmed).toMatchObject({ event: { date_known: false, when: '' }, calendar: null });
  });
});

describe('where', () => {
  const MEET = 'https://meet.example/a';
  test.each([
    [{ location: null, location_name: 'Gym' }, 'Gym', 'Gym'],
    [{ location: null, location_name: null }, '', ''],
    [{ location: { room: '12', building: 'B' }, location_name: null }, 'Room 12, B', 'Místnost 12, B'],
    [{ location: { name: 'Aula', room: 'Aula' }, location_name: 'x' }, 'Aula', 'Aula'],
    [{ location: { isVirtual: true }, location_name: null }, 'Online', 'Online'],
    [{ location: { isVirtual: true, virtualLink: MEET }, location_name: null }, `Online: ${MEET}`, `Online: ${MEET}`],
    [
      { location: { name: 'Aula', virtualLink: MEET }, location_name: null },
      `Aula, online: ${MEET}`,
      `Aula, online: ${MEET}`,
    ],
    [{ location: { isVirtual: true, virtualLink: 'javascript:alert(1)' }, location_name: null }, 'Online', 'Online'],
    [{ location: { name: ' Aula\r\nBcc: x\u0000 ' }, location_name: null }, 'Aula Bcc: x', 'Aula Bcc: x'],
  ])('reads %j as one line', (event, en, cs) => {
    expect(placeInWords(event, 'en')).toBe(en);
    expect(placeInWords(event, 'cs')).toBe(cs);
  });
});

describe('a content', () => {
  test.each([
    ['en', 'This date is no longer part of the series.'],
    ['cs', 'Tento termín už do série nepatří.'],
  ] as const)(
    'gives our own reason, which a fact has in the language of the school, in that of its reader: %s',
    (locale, reason) => {
      const fact = factOf('event.cancelled', { reason: 'Tento termín už do série nepatří.' });
      expect(contentFor('event.cancelled', { fact, locale }).event.reason).toBe(reason);
    },
  );

  test('takes the reason from the fact', () => {
    expect(contentFor('event.cancelled').event.reason).toBe('The hall was flooded.');
    expect(contentFor('event.postponed').event.reason).toBe('The band is ill.');
    expect(contentFor('event.published').event.reason).toBe('');
  });

  test('links to the page of the event', () => {
    expect(contentFor('event.published', { publicUrl: 'https://school.example' }).event.url).toBe(
      'https://school.example/events/0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b',
    );
  });

  test('has no control characters but keeps the lines of a description', () => {
    const { event, school } = contentFor('event.published', {
      about: { title: 'A\r\nB\u0000\u202eC', description: 'one\r\n\r\n\r\n\r\ntwo\u0007 \r\nthree\u2028four' },
      school: { ...theSchool, name: 'School\nBcc: x', sender_name: ' ' },
    });
    expect(event.title).toBe('A B C');
    expect(event.description).toBe('one\n\ntwo\nthree\nfour');
    expect(school).toMatchObject({ name: 'School Bcc: x', sender_name: 'School Bcc: x' });
  });

  test.each([
    ['event.published', null],
    ['event.cancelled', 'CANCEL'],
    ['event.postponed', 'REQUEST'],
    ['event.changed', 'REQUEST'],
    ['registration.confirmed', 'REQUEST'],
    ['reminder.due', null],
    ['event.starting', null],
  ] as const)('of %s carries the calendar method %s, by e-mail alone', (trigger, method) => {
    const { calendar } = contentFor(trigger);
    expect(calendar?.method ?? null).toBe(method);
    if (calendar) {
      expect(calendar.text).toContain(`METHOD:${method}\r\n`);
      expect(calendar.text.split(ATTENDEE_FIELD)).toHaveLength(2);
    }
    for (const channel of ['sms', 'push', 'in_app'] as const)
      expect(contentFor(trigger, { channel }).calendar).toBeNull();
  });

  test('takes a postponed event out of calendars while its date is unknown', () => {
    expect(contentFor('event.postponed', datesUnknown).calendar).toMatchObject({
      method: 'CANCEL',
      text: expect.stringContaining('STATUS:CANCELLED\r\n'),
    });
    expect(contentFor('event.postponed').calendar?.text).toContain('STATUS:TENTATIVE\r\n');
  });

  test('gives calendars the reason of a change, since some mail programs show only the calendar object', () => {
    expect(contentFor('event.cancelled').calendar?.text).toContain('COMMENT:The hall was flooded.\r\n');
    expect(contentFor('event.postponed').calendar?.text).toContain('COMMENT:The band is ill.\r\n');
    expect(contentFor('registration.confirmed').calendar?.text).not.toContain('COMMENT');
  });

  test('shares its key with exactly the equal contents', () => {
    const keys = new Set<string>();
    for (const trigger of ALL_TRIGGERS) {
      expect(contentFor(trigger).key).toBe(contentFor(trigger).key);
      for (const locale of ['en', 'cs'] as const)
        for (const channel of ['email', 'sms', 'push', 'in_app'] as const)
          for (const timezone of ['Europe/Prague', 'Asia/Tokyo'])
            keys.add(contentFor(trigger, { locale, channel, timezone }).key);
    }
    // A message of the school, or that an event is being revised, states no date, so it is the same in every zone.
    expect(keys.size).toBe((ALL_TRIGGERS.length * 2 - 3) * 2 * 4);
    const key = contentFor('event.cancelled').key;
    expect(contentFor('event.cancelled', { timezone: 'Europe/Berlin' }).key).toBe(key);
    for (const about of [{ title: 'Spring fair' }, { id: 'another' }, { sequence: 4 }])
      expect(contentFor('event.cancelled', { about }).key).not.toBe(key);
    expect(contentFor('event.cancelled', { school: { ...theSchool, name: 'Another' } }).key).not.toBe(key);
  });

  test('is shared by all confirmations of an event', () => {
    const keyOf = (confirmation: number) => {
      const data = { registration_id: `r-${confirmation}`, user_id: 'u', confirmation };
      const occurred_at = new Date(Date.UTC(2026, 7, 20, confirmation));
      const fact = factOf('registration.confirmed', data, { id: `f-${confirmation}`, occurred_at });
      return contentFor('registration.confirmed', { fact, about: { version: confirmation } }).key;
    };
    expect(keyOf(1)).toBe(keyOf(2));
  });
});

describe('translations', () => {
  const translations = { cs: { title: 'Podzimní jarmark', description: 'Stánky a svařák.' } };

  test.each(ALL_TRIGGERS)('of %s reach readers of the language, also in the calendar file', (trigger) => {
    const czech = contentFor(trigger, { about: { translations }, locale: 'cs' });
    expect(czech.event).toMatchObject(translations.cs);
    expect(contentFor(trigger, { about: { translations }, locale: 'cs', channel: 'sms' }).event.title).toBe(
      'Podzimní jarmark',
    );
    if (czech.calendar) expect(czech.calendar.text).toContain('SUMMARY:Podzimní jarmark');
    expect(contentFor(trigger, { about: { translations } })).toEqual(contentFor(trigger));
  });

  test('of a date with a title of its own stand in its line', () => {
    const fact = factOf('event.cancelled', { sequence: 3, reason: 'Rain', notify: null });
    const [first, second] = [fair(), fair({ title: 'Puppets', translations: { cs: { title: 'Loutky' } } })];
    const dates = [first, { ...second, start_date: '2026-09-14', end_date: '2026-09-14' }];
    const named = { fact, dates: dates.map((event) => ({ event, fact })) };
    expect(contentFor('event.cancelled', { ...named, locale: 'cs' }).event.dates).toContain('Loutky');
    expect(contentFor('event.cancelled', named).event.dates).toContain('Puppets');
  });
});
