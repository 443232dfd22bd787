import { dayNumber, daysFrom, weekdayLong } from '../../texts/dates.ts';
import { entriesOn, mondaysOf, type Placed } from '../placing.ts';
import { timeOn } from '../times.ts';

type Props = {
  from: string;
  to: string;
  /** a day of the month whose other days are gray; a week has none */
  month: string | null;
  all: readonly Placed[];
};

/** A month or a week on paper: every entry with its full title, on each of its days; a week grows as high as it needs. */
export const PrintedWeeks = ({ from, to, month, all }: Props) => (
  <table className="w-full table-fixed border-collapse text-left text-xs">
    <thead>
      <tr>
        {daysFrom(from).map((day) => (
          <th key={day} className="border border-line px-1.5 py-1 font-semibold first-letter:uppercase">
            {weekdayLong(day)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {mondaysOf(from, to).map((monday) => (
        <tr key={monday} className="h-20 break-inside-avoid align-top">
          {daysFrom(monday).map((day) => (
            <td key={day} className="border border-line px-1.5 py-1">
              <p className={`font-semibold ${month && day.slice(0, 7) !== month.slice(0, 7) ? 'text-soft' : ''}`}>
                {dayNumber(day)}
              </p>
              <ul>
                {entriesOn(all, day).map((placed) => {
                  const { id, status, title, full_title } = placed.entry;
                  return (
                    <li key={id} className={`mt-1 ${status === 'cancelled' ? 'line-through' : ''}`}>
                      <span className="tabular-nums">{timeOn(placed, day)}</span> {full_title ?? title}
                    </li>
                  );
                })}
              </ul>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
