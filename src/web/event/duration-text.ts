import { t } from '../texts/texts.ts';

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
