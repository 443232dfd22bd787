import { useEffect, useRef } from 'react';
import { MINUTE, useNow } from '../api/use-now.ts';
import { addDays, clockTime, dayNumber, inZone, longDay, minutesOf, plainDay, weekdayShort } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { Chip } from './chip.tsx';
import { useDrag } from './drag.ts';
import { Ghost } from './ghost.tsx';
import { blocksOf, type Placed, piecesInWeek } from './placing.ts';

type Props = {
  from: string;
  days: number;
  today: string;
  zone: string;
  all: readonly Placed[];
  onMore: (day: string) => void;
};

const HOUR = 48;
const LINE = 26;
const MORNING = 7;
/** pixels above the first hour, so that its label shows */
const LABEL = 10;

/** Day and week view: 24 hours by the school's clock, all-day entries above them. */
export function Timeline({ from, days, today, zone, all, onMore }: Props) {
  const ref = useRef<HTMLElement>(null);
  const { over, ghost, handlers } = useDrag(all);
  const shown = Array.from({ length: days }, (_, at) => addDays(from, at));
  const whole = piecesInWeek(
    all.filter(({ entry }) => entry.all_day),
    from,
    days,
  );
  const lines = Math.max(0, ...whole.map(({ row }) => row + 1));
  // Start at the school morning.
  useEffect(() => {
    if (ref.current) ref.current.scrollTop = MORNING * HOUR - LABEL;
  }, []);
  const now = inZone(useNow(MINUTE), zone);
  const nowMinutes = minutesOf(now.time);
  const columns = { gridTemplateColumns: `3.25rem repeat(${days}, minmax(0, 1fr))` };
  return (
    <div className="flex min-h-0 grow flex-col" {...handlers}>
      <div className="grid border-b border-line pr-3" style={columns}>
        <span />
        {shown.map((day) => (
          <button
            key={day}
            type="button"
            onClick={() => onMore(day)}
            aria-label={longDay(day)}
            aria-current={day === today ? 'date' : undefined}
            className="flex items-center justify-center gap-1.5 py-1.5 text-sm font-medium text-soft hover:bg-hover"
          >
            {weekdayShort(day)}
            <span
              className={`grid size-7 place-items-center rounded-full tabular-nums ${day === today ? 'bg-accent text-accent-ink' : 'text-ink'}`}
            >
              {dayNumber(day)}
            </span>
          </button>
        ))}
      </div>
      {lines > 0 && (
        <div className="grid border-b border-line pr-3" style={columns}>
          <span className="py-1 pr-2 text-right text-xs text-soft">{t('calendar.allDay')}</span>
          {shown.map((day) => (
            <div
              key={day}
              data-day={day}
              className={`relative border-l border-line ${over === day ? 'bg-accent-soft' : ''}`}
              style={{ height: lines * LINE + 4 }}
            >
              {whole
                .filter((piece) => piece.day === day)
                .map((piece) => (
                  <div
                    key={piece.placed.entry.id}
                    className="absolute left-0.5"
                    style={{
                      top: 2 + piece.row * LINE,
                      width: `calc(${piece.span * 100}% + ${piece.span - 1}px - 4px)`,
                    }}
                  >
                    <Chip placed={piece.placed} day={day} />
                  </div>
                ))}
            </div>
          ))}
        </div>
      )}
      <section
        ref={ref}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled, also with the keyboard
        tabIndex={0}
        aria-label={t('calendar.hours')}
        className="relative max-h-[calc(100dvh-13.5rem)] min-h-96 grow overflow-y-auto"
      >
        <div className="grid" style={{ ...columns, height: 24 * HOUR }}>
          <div aria-hidden className="relative">
            {Array.from({ length: 23 }, (_, at) => at + 1).map((hour) => (
              <span
                key={hour}
                className="absolute right-2 -translate-y-1/2 text-xs text-soft tabular-nums"
                style={{ top: hour * HOUR }}
              >
                {clockTime(`${String(hour).padStart(2, '0')}:00`)}
              </span>
            ))}
          </div>
          {shown.map((day) => (
            <ul
              key={day}
              data-day={day}
              data-timeline=""
              aria-label={plainDay(day)}
              className={`relative border-l border-line bg-[repeating-linear-gradient(to_bottom,transparent_0_47px,var(--color-line)_47px_48px)] ${over === day ? 'bg-accent-soft' : ''}`}
            >
              {blocksOf(all, day).map(({ placed, from: start, to, column, columns: wide }) => (
                <li
                  key={placed.entry.id}
                  className="absolute pr-0.5 pl-px"
                  style={{
                    top: (start / 60) * HOUR,
                    height: ((to - start) / 60) * HOUR - 1,
                    left: `${(column / wide) * 100}%`,
                    width: `${100 / wide}%`,
                  }}
                >
                  <Chip placed={placed} tall={((to - start) / 60) * HOUR - 1} day={day} />
                  {placed.entry.allowed_actions.includes('edit') && (
                    <span
                      data-entry={placed.entry.id}
                      data-resize=""
                      className="absolute inset-x-1 bottom-0 h-1.5 cursor-ns-resize"
                    />
                  )}
                </li>
              ))}
              {day === now.day && (
                <li
                  aria-hidden
                  className="pointer-events-none absolute inset-x-0 border-t-2 border-bad"
                  style={{ top: (nowMinutes / 60) * HOUR }}
                />
              )}
            </ul>
          ))}
        </div>
      </section>
      <Ghost ghost={ghost} />
    </div>
  );
}
