import { describe, expect, test } from 'vitest';
import { calendarFile } from '../../src/calendar/calendar-file.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { anEvent, at } from '../support/builders.ts';
import { collect } from '../support/collect.ts';
import { cpuMsOf } from '../support/cpu.ts';
import { eventsIn } from '../support/read-ics.ts';

const HEAD = { name: 'Lipová, school', eventPage: 'https://school.test/events/' };
const prague: Partial<SchoolEvent> = {
  timezone: 'Europe/Prague',
  start_date: '2026-10-24',
  start_time: '20:00',
  end_date: '2026-10-25',
  end_time: '08:00',
  starts_at: at('2026-10-24T18:00:00Z'),
  ends_at: at('2026-10-25T07:00:00Z'),
};
const written = async (...events: SchoolEvent[]) => (await collect(calendarFile([events], HEAD))).join('');

describe('a calendar to subscribe to', () => {
  test('writes an event of a thousand years as fast as one of an hour', async () => {
    const millennium: Partial<SchoolEvent> = {
      ...prague,
      start_date: '1900-01-01',
      end_date: '2999-12-31',
      starts_at: at('1900-01-01T19:00:00Z'),
      ends_at: at('2999-12-31T07:00:00Z'),
    };
    let lines: string[] = [];
    const took = await cpuMsOf(async () => {
      lines = (await written(anEvent(millennium))).split('\r\n');
    });
    expect(took).toBeLessThan(500);
    expect(lines.length).toBeLessThan(30);
    expect(lines).toContain('DTEND:29991231T070000Z');
  });

  test('is the same text for the same events, however they come in batches', async () => {
    expect(await written(anEvent(prague))).toBe(await written(anEvent(prague)));
    const batches = [[anEvent(prague)], [], [anEvent({ id: 'second' })]];
    const parts = await collect(calendarFile(batches, HEAD));
    expect(parts.join('')).toBe(await written(...batches.flat()));
    const later = anEvent({ ...prague, sequence: 9 });
    expect(await written(later)).not.toBe(await written(anEvent(prague)));
  });

  test('names the tags and each part of the place once, and leaves the time of whole days free', async () => {
    const location = {
      name: 'School',
      room: 'Aula',
      building: 'School',
      address: 'Lipová 1',
      virtualLink: 'https://x.test',
    };
    const lines = (await written(anEvent({ ...prague, location, tags: ['music', 'a,b'] }))).split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'LOCATION:School\\, Aula\\, Lipová 1\\, https://x.test',
        'CATEGORIES:music,a\\,b',
        'STATUS:CONFIRMED',
        'TRANSP:OPAQUE',
        'CREATED:20260801T080000Z',
      ]),
    );
    const named = await written(anEvent({ location_name: 'Gym', all_day: true }));
    expect(named).toContain('LOCATION:Gym\r\n');
    expect(named).toContain('TRANSP:TRANSPARENT');
    expect(named).not.toContain('CATEGORIES');
  });

  test.each<[Partial<SchoolEvent>, string, string]>([
    [{ status: 'published' }, 'CONFIRMED', 'OPAQUE'],
    [{ status: 'scheduled' }, 'TENTATIVE', 'OPAQUE'],
    [{ status: 'postponed', postponed_to: at('2026-10-24T18:00:00Z') }, 'TENTATIVE', 'OPAQUE'],
    [{ status: 'postponed', postponed_to: null }, 'CANCELLED', 'TRANSPARENT'],
    [{ status: 'cancelled' }, 'CANCELLED', 'TRANSPARENT'],
  ])('shows an event of %o as %s and its time as %s', async (event, status, time) => {
    expect(await written(anEvent(event))).toContain(`STATUS:${status}\r\nTRANSP:${time}\r\n`);
  });

  test('has its own name, and says how often to ask, only if it is of a school', async () => {
    const named = 'NAME:Lipová\\, school\r\nX-WR-CALNAME:Lipová\\, school\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n';
    expect(await written()).toContain(named);
    const unnamed = (await collect(calendarFile([], { ...HEAD, name: null }))).join('');
    expect(unnamed.split('\r\n').slice(0, 3)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      expect.stringMatching(/^PRODID:/),
    ]);
    expect(unnamed).not.toContain('NAME');
  });

  test('has whole days as dates that end on the day after', async () => {
    const days = { all_day: true, start_date: '2026-10-30', end_date: '2026-10-31', timezone: 'Asia/Tokyo' };
    const [event] = eventsIn(await written(anEvent(days)));
    expect(event?.startDate.isDate).toBe(true);
    expect([String(event?.startDate), String(event?.endDate)]).toEqual(['2026-10-30', '2026-11-01']);
  });

  test('has each date of a series as an event of its own, since many programs show no RECURRENCE-ID without a rule', async () => {
    const first = { ...prague, id: 'first', is_recurring: true, recurrence_id: '20261024T180000Z' };
    const later = { starts_at: at('2026-10-31T19:00:00Z'), ends_at: at('2026-11-01T07:00:00Z') };
    const second = { ...first, ...later, id: 'second', parent_event_id: 'first', recurrence_id: '20261031T180000Z' };
    const events = eventsIn(await written(anEvent(first), anEvent(second)));
    expect(events.map(({ uid }) => uid)).toEqual(['first@schoolbell', 'second@schoolbell']);
    expect(events.map(({ recurrenceId }) => recurrenceId)).toEqual([null, null]);
    expect(events.map(({ startDate }) => startDate.toJSDate())).toEqual([at('2026-10-24T18:00:00Z'), later.starts_at]);
  });
});
