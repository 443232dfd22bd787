import type { RequestListener } from 'node:http';
import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import { calendarReader, parseCalendar } from '../../src/outbound/read-calendar.ts';
import { serve } from '../support/serve.ts';

const [FROM, UNTIL] = [new Date('2026-10-01T00:00:00Z'), new Date('2026-11-01T00:00:00Z')];
const file = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Fair', ...lines, 'END:VEVENT'];
const reading = (...lines: string[]) => parseCalendar(file(...lines), 'Europe/Prague', FROM, UNTIL);
const parse = (...lines: string[]) => reading(...lines).entries ?? [];
const starts = (...lines: string[]) => parse(...lines).map(({ starts_at }) => starts_at.toISOString());

const clock = { now: () => FROM };
const read = async (answer: RequestListener) =>
  calendarReader({ clock, agent: new Agent(), parseMs: 300 })({ url: await serve(answer), timezone: 'UTC' });

describe('a calendar file', () => {
  test('has its entries on the wall clock of the school', () => {
    expect(parse(...event('DTSTART:20261016T160000Z', 'DTEND:20261016T180000Z'))).toEqual([
      {
        title: 'Fair',
        all_day: false,
        start_date: '2026-10-16',
        end_date: '2026-10-16',
        start_time: '18:00',
        end_time: '20:00',
        starts_at: new Date('2026-10-16T16:00:00Z'),
        ends_at: new Date('2026-10-16T18:00:00Z'),
      },
    ]);
  });

  test('has whole days, the last one included', () => {
    const [entry] = parse(...event('DTSTART;VALUE=DATE:20261016', 'DTEND;VALUE=DATE:20261018'));
    expect(entry).toMatchObject({ all_day: true, start_date: '2026-10-16', end_date: '2026-10-17', start_time: null });
    expect(entry?.ends_at).toEqual(new Date('2026-10-17T22:00:00Z'));
  });

  test.each([
    ['no zone: that of the school', 'DTSTART:20261016T180000', '2026-10-16T16:00:00.000Z'],
    ['a zone that it only names', 'DTSTART;TZID=America/New_York:20261016T180000', '2026-10-16T22:00:00.000Z'],
    ['a zone that no one knows: that of the school', 'DTSTART;TZID=Moon:20261016T180000', '2026-10-16T16:00:00.000Z'],
  ])('has an entry with %s', (_name, start, instant) => {
    expect(starts(...event(start, 'DURATION:PT1H'))).toEqual([instant]);
  });

  test('has an entry in a zone that it defines', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Custom',
      'BEGIN:STANDARD',
      'DTSTART:20000101T000000',
      'TZOFFSETFROM:+0500',
      'TZOFFSETTO:+0500',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    expect(starts(...zone, ...event('DTSTART;TZID=Custom:20261016T180000', 'DURATION:PT1H'))).toEqual([
      '2026-10-16T13:00:00.000Z',
    ]);
  });

  test('has each date of a series, without the removed one and with the moved one, and one date of another series', () => {
    const series = event('DTSTART:20261005T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY', 'EXDATE:20261012T080000Z');
    const moved = event('RECURRENCE-ID:20261019T080000Z', 'DTSTART:20261020T100000Z', 'DURATION:PT1H');
    const ofAnother = event('RECURRENCE-ID:20261005T080000Z', 'DTSTART:20261007T080000Z').map((line) =>
      line === 'UID:1' ? 'UID:2' : line,
    );
    expect(starts(...series, ...moved, ...ofAnother)).toEqual([
      '2026-10-05T08:00:00.000Z',
      '2026-10-20T10:00:00.000Z',
      '2026-10-26T08:00:00.000Z',
      '2026-10-07T08:00:00.000Z',
    ]);
  });

  test('has the later dates of a series of which one was moved by years', () => {
    const series = event('DTSTART:20261005T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3');
    const moved = event('RECURRENCE-ID:20261012T080000Z', 'DTSTART:20301012T080000Z', 'DURATION:PT1H');
    expect(starts(...series, ...moved)).toEqual(['2026-10-05T08:00:00.000Z', '2026-10-19T08:00:00.000Z']);
  });

  test.each([
    ['cancelled', 'STATUS:CANCELLED'],
    ['leaves its time free', 'TRANSP:TRANSPARENT'],
  ])('does not have an entry that is %s', (_name, line) => {
    expect(starts(...event('DTSTART:20261016T160000Z', 'DURATION:PT1H', line))).toEqual([]);
  });

  test.each([
    ['has no start', ['DURATION:PT1H']],
    ['has a date that does not exist', ['DTSTART:20269916T160000Z', 'DTEND:soon']],
    ['has a rule that can’t be read', ['DTSTART:20261016T160000Z', 'RRULE:FREQ=OFTEN']],
    ['has a line that is none of the format', ['DTSTART:20261016T160000Z', 'no such line']],
    ['is an exception without a start', ['RECURRENCE-ID:20261016T160000Z']],
  ])('keeps the other entries if one %s, and says so', (_name, lines) => {
    const others = event('DTSTART:20261016T160000Z', 'DTEND:20261016T180000Z');
    const read = reading(...others, ...event(...lines), ...others);
    expect(read).toMatchObject({ entries: [{ title: 'Fair' }, { title: 'Fair' }], problem: 'entries_left_out' });
  });

  test.each([
    ['every second', 'RRULE:FREQ=SECONDLY'],
    // ical.js looks for its next date for ever.
    ['every day that is 30 February', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
  ])('with a rule of %s is given up when it takes too long', async (_name, rule) => {
    const lines = event('DTSTART;TZID=Europe/Prague:20200101T000000', 'DURATION:PT1S', rule);
    expect(await read((_request, response) => void response.end(file(...lines)))).toEqual({ problem: 'too_large' });
  });

  test('with more than 5,000 dates is too large', () => {
    const everyMinute = ['DTSTART:20261016T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY'];
    expect(parse(...event(...everyMinute.slice(0, 2), `${everyMinute[2]};COUNT=5000`))).toHaveLength(5_000);
    expect(() => parse(...event(...everyMinute))).toThrow(/^$/);
  });
});

describe('reading a calendar', () => {
  test.each(['', '\ufeff'])('gives its entries after %j', async (mark) => {
    const text = mark + file(...event('DTSTART:20261016T160000Z', 'DURATION:PT1H'));
    expect(await read((_request, response) => void response.end(text))).toMatchObject({
      entries: [{ title: 'Fair' }],
      problem: null,
    });
  });

  test.each<[string, RequestListener]>([
    ['not_a_calendar', (_request, response) => void response.end('<html>')],
    ['not_a_calendar', (_request, response) => void response.end('BEGIN:VCARD\r\nEND:VCARD\r\n')],
    ['refused', (_request, response) => void response.writeHead(403).end()],
    ['unreachable', (request) => void request.socket.destroy()],
    ['too_large', (_request, response) => void response.end(Buffer.alloc(3_000_001, 'x'))],
  ])('names the problem %s', async (problem, answer) => {
    expect(await read(answer)).toEqual({ problem });
  });

  test('connects to no private address, by name, by number or after a redirect', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    const reader = calendarReader({
      clock,
      lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    const { port } = new URL(url);
    for (const address of [url, `https://calendar.example:${port}/x.ics`]) {
      expect(await reader({ url: address, timezone: 'UTC' })).toEqual({ problem: 'private_address' });
    }
    expect(asked).toEqual([]);
  });
});
