import { inZone, minutesOf, timeAt } from '../../texts/dates.ts';

/** The instant of a local time such as `2026-11-21T18:05` in a zone; null if it is empty or not a valid time. */
export function instantOf(wall: string, zone: string): string | null {
  // Date.parse would take a text without a date for the year 2000.
  const wanted = wall === '' ? Number.NaN : Date.parse(`${wall}:00Z`);
  if (Number.isNaN(wanted)) return null;
  let at = wanted;
  // Correct twice: the first guess may lie on the other side of a clock change.
  for (let round = 0; round < 2; round += 1) {
    const { day, time } = inZone(at, zone);
    at += wanted - Date.parse(`${day}T${time}:00Z`);
  }
  return new Date(at).toISOString();
}

/** A time `minutes` later, and the number of midnights in between. */
export function later(time: string, minutes: number): { time: string; days: number } {
  const total = minutesOf(time) + minutes;
  return { time: timeAt(total), days: Math.floor(total / 1440) };
}
