import { readFileSync } from 'node:fs';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { addDays, wallTimeOf } from '../../../../src/core/zoned-time.ts';
import { instantsOf } from '../../../../src/events/rules/schedule.ts';
import { wantedPlan } from '../../../../src/reminders/plan.ts';
import { anEvent } from '../../../support/builders.ts';

type Row = Record<'zone' | 'date' | 'time' | 'kind' | 'starts' | 'dayFrom' | 'dayTo' | 'nightFrom' | 'nightTo', string>;

const NAMES = ['zone', 'date', 'time', 'kind', 'starts', 'dayFrom', 'dayTo', 'nightFrom', 'nightTo'] as const;
const rows = readFileSync(new URL('./clock-changes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('zone '))
  .map((line) => Object.fromEntries(line.split(/ {2,}/).map((cell, at) => [NAMES[at], cell])) as Row);

const OFFSETS = [5, 15, 30, 60, 90, 120, 1440, 2880, 10080];
const minuteOf = (instant: Date) => instant.toISOString().slice(0, 16);

const scheduleOf = ({ zone, date, time }: Row) => ({
  start_date: date,
  end_date: date,
  start_time: time,
  end_time: '23:59',
  all_day: false,
  timezone: zone,
});
const allDayOf = (row: Row) => ({ ...scheduleOf(row), all_day: true });
const nightOf = (row: Row) => ({
  ...scheduleOf(row),
  start_date: addDays(row.date, -1),
  start_time: '22:00',
  end_time: '06:00',
});

/** The same by a third way: the proposal's own rule `compatible` is that of decisions.md. */
const byTemporal = (date: string, time: string, zone: string): string =>
  Temporal.PlainDateTime.from(`${date}T${time}`)
    .toZonedDateTime(zone, { disambiguation: 'compatible' })
    .toInstant()
    .toString()
    .slice(0, 16);

test.each(rows)(
  '$zone $date $time ($kind): start, whole day and night are the instants of two other libraries',
  (row) => {
    const { zone, date, time } = row;
    const { starts_at } = instantsOf(scheduleOf(row));
    expect(minuteOf(starts_at)).toBe(row.starts);
    expect(byTemporal(date, time, zone)).toBe(row.starts);

    const day = instantsOf(allDayOf(row));
    expect([day.starts_at, day.ends_at].map(minuteOf)).toEqual([row.dayFrom, row.dayTo]);
    expect(byTemporal(date, '00:00', zone)).toBe(row.dayFrom);
    // Where the whole day is passed over, a library that is asked for its ends may have them in the wrong order.
    expect([byTemporal(addDays(date, 1), '00:00', zone), row.dayFrom].sort().at(-1)).toBe(row.dayTo);

    const night = instantsOf(nightOf(row));
    expect([night.starts_at, night.ends_at].map(minuteOf)).toEqual([row.nightFrom, row.nightTo]);
    expect(byTemporal(addDays(date, -1), '22:00', zone)).toBe(row.nightFrom);
    expect([byTemporal(date, '06:00', zone), row.nightFrom].sort().at(-1)).toBe(row.nightTo);
  },
);

test.each(rows)('$zone $date $time ($kind): clocks in the zone show the time that was entered', (row) => {
  const { starts_at } = instantsOf(scheduleOf(row));
  const shown = wallTimeOf(starts_at, row.zone);
  const temporal = Temporal.Instant.from(starts_at.toISOString()).toZonedDateTimeISO(row.zone);
  expect(`${shown.date}T${shown.time}`).toBe(temporal.toPlainDateTime().toString().slice(0, 16));
  if (row.kind === 'gap') expect(`${shown.date}T${shown.time}` > `${row.date}T${row.time}`).toBe(true);
  else expect(shown).toEqual({ date: row.date, time: row.time, zone: row.zone });
});

test.each(rows)(
  '$zone $date $time ($kind): each reminder is planned once, its minutes of real time before the start',
  (row) => {
    const reminders = OFFSETS.map((offset) => ({ type: 'email' as const, offset }));
    for (const schedule of [scheduleOf(row), allDayOf(row), nightOf(row)]) {
      const event = anEvent({ ...schedule, ...instantsOf(schedule), reminders });
      const plan = wantedPlan(event, new Date('1980-01-01T00:00:00Z'));
      const start = Temporal.Instant.from(event.starts_at.toISOString());
      expect(plan.map(({ due_at }) => minuteOf(due_at))).toEqual(
        OFFSETS.map((minutes) => start.subtract({ minutes }).toString().slice(0, 16)),
      );
      expect(new Set(plan.map(({ id }) => id)).size).toBe(OFFSETS.length);
      expect(plan.every(({ due_at, expires_at }) => due_at < expires_at && expires_at <= event.ends_at)).toBe(true);
    }
  },
);

test('an event whose start falls into a gap moves with its end', () => {
  const within = { start_date: '2026-03-29', end_date: '2026-03-29', start_time: '02:30', end_time: '03:10' };
  const { starts_at, ends_at } = instantsOf({ ...within, all_day: false, timezone: 'Europe/Prague' });
  expect([starts_at, ends_at].map(minuteOf)).toEqual(['2026-03-29T01:30', '2026-03-29T02:10']);
});
