import { t } from '../texts/texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its two largest units, never more than is left. */
export function lengthWords(length: number): string {
  const days = Math.floor(length / DAY);
  const hours = Math.floor((length % DAY) / HOUR);
  const minutes = Math.floor((length % HOUR) / MINUTE);
  if (days > 0) return hours > 0 ? t('time.daysHours', { days, hours }) : t('time.days', { days });
  if (hours > 0) return minutes > 0 ? t('time.hoursMinutes', { hours, minutes }) : t('time.hours', { hours });
  return minutes > 0 ? t('time.minutes', { minutes }) : t('time.seconds');
}
