import { getQuery } from '../../api/queries.ts';
import type { Registration, SchoolEvent } from '../../api/types.ts';
import { clockTimeIn, zoneName } from '../../texts/dates.ts';

/** The meetings of an event, and which of them are free. */
export const slotsQuery = (id: string) =>
  getQuery(['event', id, 'slots'], '/api/v1/operations/events/{id}/slots', { path: { id } });

type Timed = Pick<SchoolEvent, 'starts_at' | 'timezone' | 'slots'>;

const HOUR = 60;

/** Formatted times: teachers have the same ones, and a form with thousands would stop at each key if it formatted all anew. */
const known = new Map<string, string>();

/** The time of a meeting in the event's zone: `16:20`; with the name of the zone if clocks show it twice that night. */
export function slotTime(event: Timed, minute: number): string {
  const key = `${event.starts_at} ${event.timezone} ${minute}`;
  const time = known.get(key) ?? formatTime(event, minute);
  known.set(key, time);
  return time;
}

function formatTime({ starts_at, timezone }: Timed, minute: number): string {
  const at = (minutes: number) => Date.parse(starts_at) + minutes * 60_000;
  const time = clockTimeIn(at(minute), timezone);
  const isTwice = [-HOUR, HOUR].some((by) => clockTimeIn(at(minute + by), timezone) === time);
  return isTwice ? `${time} ${zoneName(timezone, at(minute))}` : time;
}

/** A chosen meeting in words: `16:20–16:30, Jana Dvořáková`. */
export function slotText(event: Timed, { host_user_id, minute }: Registration['slots'][number]): string {
  const { hosts = [], length_minutes = 0 } = event.slots ?? {};
  const name = hosts.find(({ user_id }) => user_id === host_user_id)?.name ?? '';
  return `${slotTime(event, minute)}–${slotTime(event, minute + length_minutes)}, ${name}`;
}
