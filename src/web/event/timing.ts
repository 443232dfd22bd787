import type { SchoolEvent } from '../api/types.ts';
import { t } from '../texts/texts.ts';

export type Timing = {
  phase: 'ahead' | 'now' | 'past';
  /** milliseconds to the start; once the event has started, to the end */
  left: number;
  /** milliseconds to the registration deadline; null without one */
  closesIn: number | null;
};

type Timed = Pick<SchoolEvent, 'starts_at' | 'ends_at' | 'registration_deadline' | 'registration_type' | 'status'>;

/** Phase of an event: `now` from its start, `past` from its end. */
export function timingOf(event: Timed, now: number): Timing {
  const { starts_at, ends_at, registration_deadline: deadline, registration_type, status } = event;
  const [start, end] = [Date.parse(starts_at), Date.parse(ends_at)];
  // Staff can start and complete an event at any time.
  const isPast = status === 'completed' || now >= end;
  const isOn = !isPast && (status === 'in_progress' || now >= start);
  return {
    phase: isPast ? 'past' : isOn ? 'now' : 'ahead',
    left: (isOn ? end : start) - now,
    closesIn: deadline === null || registration_type === 'none' ? null : Date.parse(deadline) - now,
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its two largest units, rounded down. */
export function durationText(ms: number): string {
  const days = Math.floor(ms / DAY);
  const hours = Math.floor((ms % DAY) / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  if (days > 0) return hours > 0 ? t('time.daysHours', { days, hours }) : t('time.days', { days });
  if (hours > 0) return minutes > 0 ? t('time.hoursMinutes', { hours, minutes }) : t('time.hours', { hours });
  return minutes > 0 ? t('time.minutes', { minutes }) : t('time.seconds');
}
