import { CalendarX2 } from 'lucide-react';
import type { Clashes } from '../api/types.ts';
import { chipClass } from '../parts/button.tsx';
import { clockTime, shortDay, shortRange } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

type Props = Pick<Clashes, 'clashes' | 'free_times'> & {
  /** takes a free time; without it they are not offered */
  onPick?: (time: Clashes['free_times'][number]) => void;
};

const SHOWN = 5;

/** What takes place at the time of an event and needs the same place or people. Empty if nothing does. */
export function ClashList({ clashes, free_times, onPick }: Props) {
  if (clashes.length === 0) return null;
  return (
    <section role="status" className="grid gap-1.5 rounded-xl bg-warn-soft p-3 text-warn">
      <p className="flex items-start gap-2 font-medium">
        <CalendarX2 size={18} className="mt-0.5 shrink-0" />
        {t('clash.title')}
      </p>
      <ul className="grid gap-0.5 pl-6.5 text-sm">
        {clashes.slice(0, SHOWN).map((clash) => (
          <li key={`${clash.of.id} ${clash.event_id} ${clash.start_date} ${clash.title}`} className="wrap-anywhere">
            <span className="font-medium">{clash.title ?? t('clash.hidden')}</span>, {timeOf(clash)} (
            {clash.calendar ?? clash.shared.map((one) => word('clash.shared', one)).join(', ')})
          </li>
        ))}
        {clashes.length > SHOWN && <li>{t('list.more', { count: clashes.length - SHOWN })}</li>}
      </ul>
      {onPick && free_times.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5 pl-6.5 text-sm">
          {t('clash.free')}
          {free_times.map((time) => (
            <button
              key={`${time.start_date} ${time.start_time}`}
              type="button"
              onClick={() => onPick(time)}
              className={`${chipClass} text-ink`}
            >
              {shortDay(time.start_date)}, {clockTime(time.start_time)}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

function timeOf({ start_date, end_date, start_time, end_time }: Clashes['clashes'][number]): string {
  const days = shortRange(start_date, end_date);
  return start_time && end_time ? `${days}, ${clockTime(start_time)}–${clockTime(end_time)}` : days;
}
