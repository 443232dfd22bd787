// biome-ignore-all lint/a11y/useSemanticElements: an ARIA grid, since entries lie over several cells, which a table cannot show
// biome-ignore-all lint/a11y/useFocusableInteractive: only its cells, or the buttons in them, take the focus
import { useEffect, useRef, useState } from 'react';
import { dayNumber, daysFrom, longDay, monthName, weekdayLong, weekdayShort } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { entriesOn, isOn, mondaysOf, type Piece, type Placed, piecesInWeek, piecesThatFit } from '../placing.ts';
import { DragGhost, useDrag } from './drag.tsx';
import { LINE, Pieces } from './pieces.tsx';
import type { Span } from './span.ts';
import { dayAfterKey, useGridKeys } from './use-grid-keys.ts';

/** The props of a month and of a time grid. */
export type GridProps = {
  from: string;
  date: string;
  today: string;
  all: readonly Placed[];
  onDay: (day: string) => void;
  /** opens the list of a day */
  onMore: (day: string) => void;
  onCreate: ((span: Span) => void) | undefined;
};

const HEAD = 32;

/**
 * The month view, an ARIA grid of days. Enter opens the list of a day, or creates an event on an empty one; “+n more” opens
 * entries that don't fit.
 */
export function Month(props: GridProps & { to: string }) {
  const { from, to, date, all, onDay, onCreate } = props;
  const weeksRef = useRef<HTMLDivElement>(null);
  const [lines, setLines] = useState(4);
  const { isOver, ghost, handlers } = useDrag({ all, onCreate });
  const { ref, onKeyDown } = useGridKeys({ to: dayAfterKey, onMove: onDay });
  const weeks = mondaysOf(from, to);

  // Fit as many entries as a week has room for.
  useEffect(() => {
    const grid = weeksRef.current;
    if (!grid) return;
    const watcher = new ResizeObserver(() => {
      const height = grid.clientHeight / weeks.length;
      setLines(Math.max(2, Math.floor((height - HEAD - 4) / LINE)));
    });
    watcher.observe(grid);
    return () => watcher.disconnect();
  }, [weeks.length]);

  return (
    <div role="grid" ref={ref} aria-label={monthName(date)} className="flex grow flex-col" onKeyDown={onKeyDown}>
      <div role="row" className="grid grid-cols-7 border-b border-line">
        {daysFrom(from).map((day) => (
          <div role="columnheader" key={day} className="px-2 py-1.5 text-xs font-medium text-soft">
            <span aria-hidden>{weekdayShort(day)}</span>
            <span className="sr-only">{weekdayLong(day)}</span>
          </div>
        ))}
      </div>
      <div
        role="presentation"
        ref={weeksRef}
        className="grid min-h-[36rem] grow auto-rows-fr select-none"
        {...handlers}
      >
        {weeks.map((monday) => {
          const pieces = piecesThatFit(piecesInWeek(all, monday), lines);
          return (
            <div role="row" key={monday} className="grid min-h-0 grid-cols-7 border-b border-line last:border-b-0">
              {daysFrom(monday).map((day) => (
                <Day key={day} {...props} day={day} pieces={pieces} lines={lines} isOver={isOver(day)} />
              ))}
            </div>
          );
        })}
      </div>
      <DragGhost ghost={ghost} />
    </div>
  );
}

type DayProps = GridProps & {
  day: string;
  /** the parts of entries that fit into the week */
  pieces: readonly Piece[];
  lines: number;
  /** under the pointer that drags an entry */
  isOver: boolean;
};

/** A day with the entries that fit, and the number of those that don't. */
function Day({ day, date, today, all, pieces, lines, isOver, onMore, onCreate }: DayProps) {
  const count = entriesOn(all, day).length;
  const seen = pieces.filter(({ placed }) => isOn(placed, day)).length;
  const isOther = day.slice(0, 7) !== date.slice(0, 7);
  const ofOther = isOther ? 'text-soft' : '';
  return (
    <div
      role="gridcell"
      data-day={day}
      aria-current={day === today ? 'date' : undefined}
      className={`relative min-w-0 border-l border-line first:border-l-0 ${isOther ? 'bg-paper' : ''} ${isOver ? 'bg-accent-soft' : ''}`}
    >
      <button
        type="button"
        data-cell={day}
        tabIndex={day === date ? 0 : -1}
        aria-label={`${longDay(day)}, ${t('calendar.count', { count })}`}
        // A press of Enter has no click count; a touch must not create an event by accident.
        onClick={({ detail }) => (detail === 0 && count === 0 && onCreate ? onCreate({ date: day }) : onMore(day))}
        className={`m-0.5 grid size-7 place-items-center rounded-full text-xs tabular-nums hover:bg-hover ${day === today ? 'bg-accent font-semibold text-accent-ink hover:bg-accent' : ofOther}`}
      >
        {dayNumber(day)}
      </button>
      <Pieces pieces={pieces} day={day} top={HEAD} margin={4} tabIndex={-1} />
      {count > seen && (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onMore(day)}
          aria-label={t('calendar.moreOn', { count: count - seen, day: longDay(day) })}
          style={{ top: HEAD + (lines - 1) * LINE }}
          className="absolute left-1 h-6 max-w-[calc(100%-8px)] truncate rounded px-1.5 text-xs font-medium text-soft hover:bg-hover hover:text-ink"
        >
          {t('calendar.more', { count: count - seen })}
        </button>
      )}
    </div>
  );
}
