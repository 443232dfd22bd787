import { useState } from 'react';
import { StepButton } from '../parts/step-button.tsx';
import {
  addDays,
  addMonths,
  dayNumber,
  daysFrom,
  longDay,
  monthName,
  weekdayLong,
  weekdayOf,
  weekdayShort,
} from '../texts/dates.ts';
import { capital, t } from '../texts/texts.ts';
import { dayAfterKey, useGridKeys } from './grid/use-grid-keys.ts';
import { mondaysOf } from './placing.ts';

type Picked = { chosen: string; today: string; onChoose: (day: string) => void };
type Props = Picked & {
  /** a day of the month shown */
  month: string;
  onMonth: (day: string) => void;
  /** one dot for each of these colors */
  dots?: (day: string) => readonly string[];
};

/** A month for choosing a day, with arrows to other months. */
export function MonthPicker(props: Picked) {
  const [month, setMonth] = useState(props.chosen);
  const first = `${month.slice(0, 7)}-01`;
  const step = (by: number) => setMonth(addMonths(first, by));
  return (
    <>
      <div className="flex items-center justify-between pb-1">
        <StepButton by={-1} onStep={step} />
        <span aria-live="polite" className="font-semibold">
          {capital(monthName(first))}
        </span>
        <StepButton by={1} onStep={step} />
      </div>
      <MiniMonth {...props} month={month} onMonth={setMonth} />
    </>
  );
}

/** The days of a month as buttons, with dots for events. */
export function MiniMonth(props: Props) {
  const { month, onMonth } = props;
  const first = `${month.slice(0, 7)}-01`;
  const monday = addDays(first, -weekdayOf(first));
  const weeks = mondaysOf(monday, addDays(addMonths(first, 1), -1));
  const { ref, onKeyDown } = useGridKeys<HTMLTableElement>({
    to: dayAfterKey,
    onMove: (day) => {
      if (day.slice(0, 7) !== first.slice(0, 7)) onMonth(day);
    },
  });
  return (
    <table ref={ref} className="w-full table-fixed text-center" onKeyDown={onKeyDown}>
      <caption className="sr-only">{monthName(first)}</caption>
      <thead>
        <tr>
          {daysFrom(monday).map((day) => (
            <th key={day} scope="col" className="pb-1 text-xs font-medium text-soft">
              <span aria-hidden>{weekdayShort(day).slice(0, 2)}</span>
              <span className="sr-only">{weekdayLong(day)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week}>
            {daysFrom(week).map((day) => (
              <td key={day} className="p-0">
                <DayButton day={day} {...props} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayButton({ day, month, chosen, today, onChoose, dots }: Props & { day: string }) {
  const tones = dots?.(day) ?? [];
  const count = tones.length;
  const isIn = (one: string) => one.slice(0, 7) === month.slice(0, 7);
  const isChosen = day === chosen;
  const isToday = day === today;
  /** takes the focus of the Tab key */
  const firstStop = isIn(chosen) ? chosen : `${month.slice(0, 7)}-01`;
  const looks = [
    isChosen && 'bg-accent text-accent-ink hover:bg-accent',
    isToday && 'font-bold text-accent-text',
    !isIn(day) && 'text-soft',
  ];
  return (
    <button
      type="button"
      data-cell={day}
      data-first={isChosen || undefined}
      tabIndex={day === firstStop ? 0 : -1}
      aria-label={count > 0 ? `${longDay(day)}, ${t('calendar.count', { count })}` : longDay(day)}
      aria-pressed={isChosen}
      aria-current={isToday ? 'date' : undefined}
      onClick={() => onChoose(day)}
      className={`mx-auto flex h-11 w-full max-w-12 flex-col items-center justify-center rounded-lg tabular-nums hover:bg-hover ${looks.find(Boolean) || ''}`}
    >
      {dayNumber(day)}
      <span aria-hidden className="flex h-1.5 gap-0.5">
        {tones.slice(0, 3).map((tone, at) => (
          <span
            key={`${tone}-${String(at)}`}
            data-color={tone}
            className={`size-1.5 rounded-full ${isChosen ? 'bg-accent-ink' : 'bg-(--tone-mark)'}`}
          />
        ))}
      </span>
    </button>
  );
}
