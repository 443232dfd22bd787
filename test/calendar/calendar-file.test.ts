import { describe, expect, test } from 'vitest';
import { calendarFile } from '../../src/calendar/calendar-file.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { anEvent, at } from '../support/builders.ts';
import { collect } from '../support/collect.ts';
import { cpuMsOf } from '../support/cpu.ts';

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
});
