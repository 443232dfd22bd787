// biome-ignore-all lint/a11y/useSemanticElements: an ARIA grid, since entries lie over several cells, which a table cannot show
// biome-ignore-all lint/a11y/useFocusableInteractive: only its cells, or the buttons in them, take the focus
import { clockTime, plainDay, timeAt } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { blocksOf, type Placed } from '../placing.ts';

/** Name of a cell: a day and an hour. */
export const cellOf = (day: string, hour: number): string => `${day}T${timeAt(hour * 60)}`;

type Props = {
  days: readonly string[];
  all: readonly Placed[];
  columns: React.CSSProperties;
  /** the cell in the tab order */
  current: string;
};

/** The hours of days as the rows of an ARIA grid. Entries are drawn above it. */
export function Hours({ days, all, columns, current }: Props) {
  const blocks = new Map(days.map((day) => [day, blocksOf(all, day)]));
  return Array.from({ length: 24 }, (_, hour) => (
    <div role="row" key={timeAt(hour * 60)} className="grid h-12" style={columns}>
      <div role="rowheader" className="relative">
        <span className={`absolute right-2 -translate-y-1/2 text-xs text-soft tabular-nums ${hour ? '' : 'sr-only'}`}>
          {clockTime(timeAt(hour * 60))}
        </span>
      </div>
      {days.map((day) => {
        const cell = cellOf(day, hour);
        const count = (blocks.get(day) ?? []).filter(({ from, to }) => from < hour * 60 + 60 && to > hour * 60).length;
        return (
          <div
            role="gridcell"
            key={day}
            data-cell={cell}
            tabIndex={cell === current ? 0 : -1}
            aria-label={`${plainDay(day)}, ${clockTime(timeAt(hour * 60))}, ${t('calendar.count', { count })}`}
            // Above the entries, which would cover the mark of the focus.
            className="border-b border-l border-line focus-visible:pointer-events-none focus-visible:z-1 focus-visible:outline-offset-[-2px]"
          />
        );
      })}
    </div>
  ));
}
