import { type KeyboardEvent, useState } from 'react';
import { MINUTE, useNow } from '../../api/use-now.ts';
import { useMedia } from '../../app/media.ts';
import {
  addDays,
  clockTime,
  datedDay,
  dayNumber,
  daysFrom,
  inZone,
  longDay,
  minutesOf,
  plainDay,
  weekdayShort,
} from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { blocksOf, blocksThatFit, piecesInWeek } from '../placing.ts';
import { DragGhost, useDrag } from './drag.tsx';
import { EntryLink } from './entry-link.tsx';
import { cellOf, Hours } from './hours.tsx';
import type { GridProps } from './month.tsx';
import { LINE, Pieces } from './pieces.tsx';
import type { Span } from './span.ts';
import { useGridKeys } from './use-grid-keys.ts';

type Props = GridProps & { days: number; zone: string };

const HOUR = 48;
const MORNING = 7;
/** Events beside each other that can still be read on a day of a week and on a single day, and in a narrow window. */
const COLUMNS = { ofWeek: 3, ofDay: 10 };
const COLUMNS_IF_NARROW = { ofWeek: 2, ofDay: 5 };
const NARROW = '(width < 72rem)';
/** Leaves as much room for a scroll bar as the hours below do, so that the days lie above their hours. */
const BESIDE_SCROLLBAR = 'shrink-0 overflow-hidden [scrollbar-gutter:stable] **:outline-offset-[-2px]';
/** pixels above the first hour, so that its label shows */
const LABEL = 10;

/**
 * Day and week view: 24 hours by the school's clock, all-day entries above them. An ARIA grid of hours, where Enter creates
 * an event.
 */
export default function TimeGrid({ from, days, date, today, zone, all, onDay, onMore, onCreate }: Props) {
  const [hour, setHour] = useState(MORNING + 1);
  const { isOver, ghost, span, handlers } = useDrag({ all, onCreate });
  const { ref, onKeyDown } = useGridKeys({
    to: (event, cell) => cellAfterKey(event, cell, { from, days }),
    onMove: (cell) => {
      setHour(minutesOf(cell.slice(11)) / 60);
      if (cell.slice(0, 10) !== date) onDay(cell.slice(0, 10));
    },
  });
  const shown = daysFrom(from, days);
  const whole = piecesInWeek(
    all.filter(({ entry }) => entry.all_day),
    from,
    days,
  );
  const lines = Math.max(0, ...whole.map(({ row }) => row + 1));
  const { ofWeek, ofDay } = useMedia(NARROW) ? COLUMNS_IF_NARROW : COLUMNS;
  const now = inZone(useNow(MINUTE), zone);
  const nowMinutes = minutesOf(now.time);
  const columns = { gridTemplateColumns: `3.25rem repeat(${days}, minmax(0, 1fr))` };
  return (
    <div className="flex min-h-0 grow flex-col select-none" {...handlers}>
      <div className={`grid border-b border-line ${BESIDE_SCROLLBAR}`} style={columns}>
        <span />
        {shown.map((day) => (
          <button
            key={day}
            type="button"
            onClick={() => onMore(day)}
            aria-label={datedDay(day)}
            aria-current={day === today ? 'date' : undefined}
            className="flex items-center justify-center gap-1.5 py-1.5 text-sm font-medium text-soft hover:bg-hover"
          >
            {weekdayShort(day)}{' '}
            <span
              className={`grid size-7 place-items-center rounded-full tabular-nums ${day === today ? 'bg-accent text-accent-ink' : 'text-ink'}`}
            >
              {dayNumber(day)}
            </span>
          </button>
        ))}
      </div>
      {lines > 0 && (
        <div className={`grid border-b border-line ${BESIDE_SCROLLBAR}`} style={columns}>
          <span className="py-1 pr-2 text-right text-xs text-soft">{t('calendar.allDay')}</span>
          {shown.map((day) => (
            <div
              key={day}
              data-day={day}
              className={`relative border-l border-line ${isOver(day) ? 'bg-accent-soft' : ''}`}
              style={{ height: lines * LINE + 4 }}
            >
              <Pieces pieces={whole} day={day} top={2} margin={2} />
            </div>
          ))}
        </div>
      )}
      <div
        ref={showMorning}
        className="relative max-h-[calc(100dvh-13.5rem)] min-h-96 grow overflow-y-auto [scrollbar-gutter:stable]"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: entries lie over several hours, which a table cannot show */}
        <div
          role="grid"
          ref={ref}
          aria-label={t('calendar.hours')}
          onKeyDown={(event) => {
            const { cell } = (event.target as HTMLElement).dataset;
            if (event.key === 'Enter' && cell) onCreate?.({ date: cell.slice(0, 10), start: cell.slice(11) });
            else onKeyDown(event);
          }}
        >
          <Hours days={shown} all={all} columns={columns} current={cellOf(date, hour)} />
        </div>
        <div className="absolute inset-x-0 top-0 grid" style={{ ...columns, height: 24 * HOUR }}>
          <span />
          {shown.map((day) => (
            <ul
              key={day}
              data-day={day}
              data-time-grid=""
              aria-label={plainDay(day)}
              className={`relative ml-px ${isOver(day) ? 'bg-accent-soft' : ''}`}
            >
              <Blocks all={all} day={day} most={days === 1 ? ofDay : ofWeek} onMore={onMore} />
              {span?.start && span.end && span.date === day && (
                <li
                  aria-hidden
                  data-span=""
                  className="pointer-events-none absolute inset-x-0.5 rounded-md border border-accent bg-accent-soft px-1.5 text-xs text-accent-text"
                  style={{ top: (minutesOf(span.start) / 60) * HOUR, height: (lengthOf(span) / 60) * HOUR }}
                >
                  {clockTime(span.start)}–{clockTime(span.end)}
                </li>
              )}
              {day === now.day && (
                <li
                  aria-hidden
                  data-now=""
                  className="pointer-events-none absolute inset-x-0 border-t-2 border-bad before:absolute before:-top-1.5 before:-left-1 before:size-2.5 before:rounded-full before:bg-bad"
                  style={{ top: (nowMinutes / 60) * HOUR }}
                />
              )}
            </ul>
          ))}
        </div>
      </div>
      <DragGhost ghost={ghost} />
    </div>
  );
}

type BlocksProps = Pick<GridProps, 'all' | 'onMore'> & { day: string; most: number };

/** The timed entries of a day in at most `most` columns, and buttons for those that don't fit. */
function Blocks({ all, day, most, onMore }: BlocksProps) {
  const { shown, more } = blocksThatFit(blocksOf(all, day), most);
  return (
    <>
      {shown.map(({ placed, from, to, column, columns }) => (
        <li
          key={placed.entry.id}
          className="absolute pr-0.5 pl-px"
          style={boxOf(from, to, column, Math.min(columns, most))}
        >
          <EntryLink placed={placed} tall={heightOf(from, to)} day={day} />
          {placed.entry.allowed_actions.includes('edit') && (
            <span
              data-entry={placed.entry.id}
              data-resize=""
              className="absolute inset-x-1 bottom-0 h-1.5 cursor-ns-resize"
            />
          )}
        </li>
      ))}
      {more.map(({ from, to, count }) => (
        <li key={from} className="absolute" style={boxOf(from, to, most - 1, most)}>
          <button
            type="button"
            onClick={() => onMore(day)}
            aria-label={t('calendar.moreOn', { count, day: longDay(day) })}
            className="size-full rounded-md border border-line text-xs font-medium text-soft hover:bg-hover hover:text-ink"
          >
            {t('calendar.more', { count })}
          </button>
        </li>
      ))}
    </>
  );
}

const heightOf = (from: number, to: number): number => ((to - from) / 60) * HOUR - 1;

const boxOf = (from: number, to: number, column: number, columns: number) => ({
  top: (from / 60) * HOUR,
  height: heightOf(from, to),
  left: `${(column / columns) * 100}%`,
  width: `${100 / columns}%`,
});

function showMorning(hours: HTMLElement | null): void {
  if (hours) hours.scrollTop = MORNING * HOUR - LABEL;
}

const lengthOf = ({ start = '', end = '' }: Span): number => (minutesOf(end) || 1440) - minutesOf(start);

/** Arrows move by an hour or a day, also to the next week; Home and End along a row, with Ctrl to the first and last cell. */
function cellAfterKey(
  { key, ctrlKey }: KeyboardEvent,
  cell: string,
  { from, days }: { from: string; days: number },
): string | undefined {
  const [day, hour] = [cell.slice(0, 10), minutesOf(cell.slice(11)) / 60];
  const last = addDays(from, days - 1);
  const within = (next: number) => cellOf(day, Math.max(0, Math.min(23, next)));
  const cells: Record<string, string> = {
    ArrowUp: within(hour - 1),
    ArrowDown: within(hour + 1),
    ArrowLeft: cellOf(addDays(day, -1), hour),
    ArrowRight: cellOf(addDays(day, 1), hour),
    PageUp: cellOf(addDays(day, -days), hour),
    PageDown: cellOf(addDays(day, days), hour),
    Home: cellOf(from, ctrlKey ? 0 : hour),
    End: cellOf(last, ctrlKey ? 23 : hour),
  };
  return cells[key];
}
