import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/zoned-time.ts';
import { instantsOf } from '../../../src/events/rules/schedule.ts';
import { contentOf } from '../../../src/notifications/content/content.ts';
import { meetingsInWords } from '../../../src/notifications/content/event-words.ts';
import { inShort, inWords, seriesInShort, seriesInWords, spanOf } from '../../../src/notifications/content/when.ts';
import type { Locale } from '../../../src/people/contact.ts';
import { anEvent, aRegistration, aSchool } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';
import { eventsIn } from '../../support/read-ics.ts';

/** Fridays from 16 October 2026, 18:00 to 20:00. */
const fridays = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, week) => {
    const day = addDays('2026-10-16', 7 * week);
    const event = anEvent({
      id: `event-${week}`,
      parent_event_id: week === 0 ? null : 'event-0',
      is_recurring: true,
      recurrence_pattern: 'weekly',
      occurrence_date: day,
      recurrence_id: `${day.replaceAll('-', '')}T180000Z`,
      start_date: day,
      end_date: day,
      ...more,
    });
    return { ...event, ...instantsOf(event) };
  });
const spans = (count: number, more: object = {}) => fridays(count, more).map((one) => spanOf(one, one.timezone));

test.each<[Locale, number, object, string]>([
  ['en', 6, {}, 'Every week, 6 dates from 16 October to 20 November 2026, 18:00–20:00'],
  ['cs', 6, {}, 'Každý týden, 6 termínů od 16. října do 20. listopadu 2026, 18:00–20:00'],
  ['cs', 3, {}, 'Každý týden, 3 termíny od 16. října do 30. října 2026, 18:00–20:00'],
  ['en', 2, { all_day: true, start_time: null }, 'Every week, 2 dates from 16 October to 23 October 2026'],
  ['en', 14, {}, 'Every week, 14 dates from 16 October 2026 to 15 January 2027, 18:00–20:00'],
])('writes in %s %i dates in words', (locale, count, more, words) => {
  expect(seriesInWords(spans(count, more), 'weekly', locale)).toBe(words);
});

test.each<[Locale, number, 'weekly' | 'none', string]>([
  ['en', 6, 'weekly', 'every week from Fri 16 Oct, 18:00, 6 dates'],
  ['cs', 5, 'weekly', 'každý týden od Pá 16. 10., 18:00, 5 termínů'],
  ['en', 3, 'none', 'Fri 16 Oct, Fri 23 Oct, Fri 30 Oct, 18:00'],
  ['cs', 2, 'none', 'Pá 16. 10., Pá 23. 10., 18:00'],
  ['en', 7, 'none', '7 dates from Fri 16 Oct to Fri 27 Nov, 18:00'],
])('writes in %s %i dates in short, repeated %s', (locale, count, pattern, words) => {
  expect(seriesInShort(spans(count), pattern, locale, 2026)).toBe(words);
});

test('lists times that differ with each date', () => {
  const [first, second] = spans(2);
  const [later] = spans(1, { start_time: '19:00' });
  if (!first || !second || !later) throw new Error('no dates');
  expect(seriesInShort([later, second], 'none', 'en', 2026)).toBe('Fri 16 Oct, 19:00; Fri 23 Oct, 18:00');
  expect(seriesInWords([later, second], 'none', 'en')).toBe('2 dates from 16 October to 23 October 2026');
});

const inputOf = (locale: Locale, count: number, more: object = {}) => {
  const events = fridays(count).map((event, at) => (at === 1 ? { ...event, ...more } : event));
  const fact = aFact('event.published');
  const [event] = events;
  if (!event) throw new Error('no event');
  return {
    event,
    fact,
    dates: events.map((one) => ({ event: one, fact })),
    trigger: 'event.published' as const,
    channel: 'email' as const,
    school: aSchool(),
    locale,
    timezone: 'UTC',
    publicUrl: 'https://school.example',
  };
};

test('a series has a line and a calendar entry for each date, with what differs', () => {
  const { event, calendar } = contentOf(inputOf('en', 3, { location_name: 'Gym', title: 'Guest concert' }));
  expect(event.dates.split('\n')).toEqual([
    'Friday 16 October 2026, 18:00–20:00',
    'Friday 23 October 2026, 18:00–20:00, Guest concert, Gym',
    'Friday 30 October 2026, 18:00–20:00',
  ]);
  expect(calendar?.method).toBe('PUBLISH');
  const entries = eventsIn(calendar?.text ?? '');
  expect(new Set(entries.map(({ uid }) => uid)).size).toBe(1);
  expect(entries.map((entry) => [entry.summary, entry.location, entry.recurrenceId.toString()])).toEqual([
    ['Autumn concert', null, '2026-10-16T18:00:00Z'],
    ['Guest concert', 'Gym', '2026-10-23T18:00:00Z'],
    ['Autumn concert', null, '2026-10-30T18:00:00Z'],
  ]);
});

test('one date that is left of a series reads like an event of its own', () => {
  const { dates, ...input } = inputOf('en', 2);
  const alone = contentOf({ ...input, dates: dates.slice(0, 1) });
  expect(alone).toMatchObject({ event: { dates: '', when: 'Friday 16 October 2026, 18:00–20:00' }, calendar: null });
});

test('a postponed series names the new and the old date of each, or only the old while the new is unknown', () => {
  const { dates, ...input } = inputOf('en', 2);
  const previous = { start_time: '17:00', end_time: '19:00', timezone: 'UTC', all_day: false };
  const postponed = (date_known: boolean) => {
    const moved = dates.map(({ event }, n) => {
      const day = `2026-10-0${n + 1}`;
      const data = { date_known, previous: { ...previous, start_date: day, end_date: day } };
      const postponed_to = date_known ? event.starts_at : null;
      return { event: { ...event, status: 'postponed' as const, postponed_to }, fact: aFact('event.postponed', data) };
    });
    const [first] = moved;
    if (!first) throw new Error('no date');
    return contentOf({ ...input, ...first, dates: moved, trigger: 'event.postponed' });
  };
  expect(postponed(true).event.dates.split('\n')[1]).toBe(
    'Friday 23 October 2026, 18:00–20:00 (previously Friday 2 October 2026, 17:00–19:00)',
  );
  const unknown = postponed(false);
  expect(unknown.event).toMatchObject({ when: '', when_short: '', date_known: false });
  expect(unknown.event.dates.split('\n')[0]).toBe('Thursday 1 October 2026, 17:00–19:00');
  expect(unknown.calendar?.method).toBe('CANCEL');
});

test.each<[Locale, string, string]>([
  ['en', 'Wednesday 14 October 2026, 12:00 (each date has its own)', ' (register by Wednesday 14 October 2026, 12:00)'],
  [
    'cs',
    'středa 14. října 2026, 12:00 (každý termín má svou lhůtu)',
    ' (přihlášky nejpozději: středa 14. října 2026, 12:00)',
  ],
])('%s: an announced series states the deadline of each date', (locale, earliest, note) => {
  const { dates, ...input } = inputOf(locale, 3);
  const due = (days: (string | null)[]) => {
    const named = dates.map(({ event, fact }, n) => {
      const registration_deadline = days[n] ? new Date(`${days[n]}T12:00:00Z`) : null;
      return { event: { ...event, registration_type: 'required' as const, registration_deadline }, fact };
    });
    const [first] = named;
    if (!first) throw new Error('no date');
    return contentOf({ ...input, ...first, dates: named }).event;
  };
  const own = due(['2026-10-14', '2026-10-21', '2026-10-28']);
  expect(own.register_by).toBe(earliest);
  expect(own.dates.split('\n')[0]?.endsWith(note)).toBe(true);
  const passed = due(['2020-10-14', '2026-10-14', '2026-10-14']);
  expect(passed.register_by).toBe(earliest);
  expect(passed.dates.split('\n').map((line) => line.endsWith(note))).toEqual([false, true, true]);
  const shared = due(['2026-10-14', '2026-10-14', '2026-10-14']);
  expect(shared.register_by).toBe(earliest.slice(0, earliest.indexOf(' (')));
  expect(shared.dates).not.toContain(note);
  expect(due([]).register_by).toBe('');
});

test.each<[Locale, string, string]>([
  ['en', 'Fri 16 Oct, Fri 23 Oct, 18:00', 'Friday 16 October 2026, 18:00–20:00\nFriday 23 October 2026, 18:00–20:00'],
  ['cs', 'Pá 16. 10., Pá 23. 10., 18:00', 'pátek 16. října 2026, 18:00–20:00\npátek 23. října 2026, 18:00–20:00'],
])('%s: dates that are being revised are named', (locale, when_short, dates) => {
  const { dates: two, ...input } = inputOf(locale, 2);
  const fact = aFact('event.unpublished');
  const named = two.map(({ event }) => ({ event: { ...event, status: 'draft' as const }, fact }));
  const content = contentOf({ ...input, fact, dates: named, trigger: 'event.unpublished' });
  expect(content).toMatchObject({ event: { when_short, dates }, calendar: null });
});

/** The night in which summer time ends: clocks show 2:00 to 3:00 twice. */
const night = { timezone: 'Europe/Prague', start_date: '2026-10-25', end_date: '2026-10-25' };

test.each<[Locale, string, string, string]>([
  ['en', 'Sunday 25 October 2026, 02:30 CEST–04:00', 'Sun 25 Oct, 02:30 CEST', '02:20 CEST–02:30 CEST'],
  ['cs', 'neděle 25. října 2026, 02:30 SELČ–04:00', 'Ne 25. 10. 02:30 SELČ', '02:20 SELČ–02:30 SELČ'],
])('names in %s the zone of a time that clocks show twice', (locale, long, short, meeting) => {
  const span = spanOf({ ...night, start_time: '02:30', end_time: '04:00', all_day: false }, night.timezone);
  expect([inWords(span, locale), inShort(span, locale, 2026)]).toEqual([long, short]);
  const evening = anEvent({
    ...night,
    start_time: '01:30',
    end_time: '04:00',
    event_type: 'parent_teacher',
    slots: { length_minutes: 10, break_minutes: 0, hosts: [{ user_id: 'jan', name: 'Jan' }] },
  });
  const event = { ...evening, ...instantsOf(evening) };
  const slots = [50, 110, 170].map((minute) => ({ host_user_id: 'jan', minute }));
  const chosen = meetingsInWords(event, [aRegistration({ event_id: event.id, slots })], [], locale);
  expect(chosen.split(', Jan; ').slice(0, 1)).toEqual([meeting]);
  expect(chosen).toMatch(/02:20 (CET|SEČ)–02:30 (CET|SEČ), Jan; 03:20–03:30, Jan$/);
});

test.each<[Locale, string, string, string]>([
  ['en', '2027-01-18', '2027-01-22', 'Mon 18 Jan – Fri 22 Jan 2027'],
  ['cs', '2027-01-18', '2027-01-22', 'Po 18. 1. – Pá 22. 1. 2027'],
  ['en', '2026-12-31', '2027-01-01', 'Thu 31 Dec – Fri 1 Jan 2027'],
  ['en', '2026-12-14', '2026-12-15', 'Mon 14 Dec – Tue 15 Dec'],
])('names in %s the year of several days once in short texts', (locale, start_date, end_date, short) => {
  const days = { start_date, end_date, start_time: null, end_time: null, timezone: 'Europe/Prague', all_day: true };
  expect(inShort(spanOf(days, days.timezone), locale, 2026)).toBe(short);
});
