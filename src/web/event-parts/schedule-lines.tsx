import type { SchoolEvent } from '../api/types.ts';
import { isUndecided, scheduleText } from '../texts/dates.ts';
import { capital, t } from '../texts/texts.ts';

/** Date and time of an event in its zone; struck through after a postponement whose new date is not known yet. */
export function ScheduleLines({ event }: { event: SchoolEvent }) {
  const { days, times } = scheduleText(event, true);
  return (
    <>
      {isUndecided(event) && <p className="font-medium">{t('calendar.noDate')}</p>}
      <div className={isUndecided(event) ? 'text-soft line-through' : ''}>
        <p className="font-medium">{capital(days)}</p>
        <p className="text-soft">{times ?? t('calendar.allDay')}</p>
      </div>
    </>
  );
}
