import { inZone, isDay } from '../../texts/dates.ts';

const DAY_MS = 86_400_000;

/**
 * The instant of a local time such as `2026-11-21T18:05` in a zone; null if it is empty or not a valid time. As in the API, a
 * time skipped by a clock change moves forward, and of a time that occurs twice the first counts.
 */
export function instantOf(wall: string, zone: string): string | null {
  const wanted = Date.parse(`${wall}:00Z`);
  // Date.parse would take a text without a date for the year 2000.
  if (!isDay(wall.slice(0, 10)) || Number.isNaN(wanted)) return null;
  const clockAt = (at: number): number => {
    const { day, time } = inZone(at, zone);
    return Date.parse(`${day}T${time}:00Z`);
  };
  // By the offsets of the day before and the day after, which differ around a clock change.
  const [first = wanted, second] = [-DAY_MS, DAY_MS].map((by) => 2 * wanted + by - clockAt(wanted + by));
  return new Date([first, second].find((at) => at !== undefined && clockAt(at) === wanted) ?? first).toISOString();
}
