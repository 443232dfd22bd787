import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { CalendarSearch } from '../calendar/search.ts';
import { Section } from '../parts/page.tsx';
import { numberText, percentText, t } from '../texts/texts.ts';

export type Bar = {
  key: string;
  label: string;
  count: number;
  icon?: LucideIcon;
  /** color name in the style sheet */
  tone: string;
  /** the calendar, filtered to these events */
  to: CalendarSearch;
};

/** Numbers as bars or as a table; each links to its events in the calendar. */
export function Bars({ title, bars, asTable }: { title: string; bars: readonly Bar[]; asTable: boolean }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const all = bars.reduce((sum, { count }) => sum + count, 0);
  const filled = bars.filter(({ count }) => count > 0);
  return (
    <Section title={title}>
      {asTable ? (
        <Table title={title} bars={bars} all={all} />
      ) : filled.length === 0 ? (
        <p className="text-soft">{t('statistics.nothing')}</p>
      ) : (
        <ul className="grid gap-0.5">
          {filled.map(({ key, label, count, icon: Picture, tone, to }) => (
            <li key={key}>
              <Link
                to="/events"
                search={to}
                aria-label={t('statistics.open', { label, count })}
                className="grid min-h-9 grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 rounded-lg px-2 py-1 hover:bg-hover sm:grid-cols-[13rem_1fr_3.5rem]"
              >
                <span data-color={tone} className="flex min-w-0 items-center gap-2">
                  {Picture && <Picture size={17} className="shrink-0 text-(--tone-mark)" />}
                  <span className="truncate">{label}</span>
                </span>{' '}
                <svg
                  data-color={tone}
                  width="100%"
                  height="14"
                  aria-hidden="true"
                  focusable="false"
                  className="max-sm:order-last max-sm:col-span-2"
                >
                  <rect width="100%" height="14" rx="4" className="fill-paper" />
                  <rect width={`${(count / most) * 100}%`} height="14" rx="4" className="fill-(--tone-mark)" />
                </svg>
                <span className="text-right font-semibold tabular-nums">{numberText(count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const Table = ({ title, bars, all }: { title: string; bars: readonly Bar[]; all: number }) => (
  <table aria-label={title} className="w-full">
    <thead className="text-left text-sm text-soft">
      <tr className="*:py-1 *:font-medium">
        <th scope="col">{t('statistics.kind')}</th>
        <th scope="col" className="text-right">
          {t('statistics.events')}
        </th>
        <th scope="col" className="text-right">
          {t('statistics.share')}
        </th>
      </tr>
    </thead>
    <tbody>
      {bars.map(({ key, label, count, to }) => (
        <tr key={key} className="border-t border-line">
          <th scope="row" className="py-0.5 text-left font-normal">
            {count > 0 ? (
              <Link
                to="/events"
                search={to}
                className="inline-flex min-h-7 items-center text-accent-text underline underline-offset-3"
              >
                {label}
              </Link>
            ) : (
              <span className="inline-flex min-h-7 items-center text-soft">{label}</span>
            )}
          </th>
          <td className="text-right tabular-nums">{numberText(count)}</td>
          <td className="text-right text-soft tabular-nums">{all === 0 ? '–' : percentText(count / all)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
