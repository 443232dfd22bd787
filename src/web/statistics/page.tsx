import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { getQuery, optionsQuery } from '../api/queries.ts';
import type { Options, Statistics } from '../api/types.ts';
import { useToday } from '../api/use-now.ts';
import { useFilterChange } from '../app/search.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { iconOf } from '../event-parts/icon.tsx';
import { Chip } from '../parts/button.tsx';
import { Figures } from '../parts/figures.tsx';
import { Choice } from '../parts/forms/choice.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { TypedField } from '../parts/forms/search-box.tsx';
import { joined, Loaded, Page, PageHeader } from '../parts/page.tsx';
import { dayRange } from '../texts/dates.ts';
import { numberText, percentText, t, word } from '../texts/texts.ts';
import { type Bar, Bars } from './bars.tsx';
import { PERIODS, type Period, periods, type StatisticsSearch } from './period.ts';

const statisticsQuery = (period: Period) =>
  getQuery(
    ['statistics', period],
    '/api/v1/operations/events/statistics',
    { query: period },
    { placeholderData: keepPreviousData },
  );

/** Events and attendance in a period. */
export default function StatisticsPage() {
  const search = useSearch({ from: '/signed-in/statistics' });
  const change = useFilterChange<StatisticsSearch>();
  const options = useQuery(optionsQuery);
  const common = periods(useToday());
  const period = { from: search.from ?? common.year.from, to: search.to ?? common.year.to };
  const found = useQuery(statisticsQuery(period));
  const asTable = search.as === 'table';
  return (
    <Page title={t('nav.statistics')} wide>
      <PageHeader title={t('nav.statistics')} text={period.from <= period.to && dayRange(period.from, period.to)}>
        <PeriodChoice period={period} common={common} onChange={change} />
      </PageHeader>
      <Loaded query={joined({ found, options })}>
        {({ found: statistics, options }) => (
          <div aria-busy={found.isPlaceholderData} className="aria-busy:opacity-60">
            <Figures figures={figuresOf(statistics)} className="mb-5 sm:grid-cols-4 xl:grid-cols-8 print:grid-cols-4" />
            <div data-print="no" className="mb-3 flex justify-end">
              <Choice
                hidesLabel
                label={t('statistics.view')}
                value={search.as ?? 'bars'}
                onChange={(as) => change({ as: as === 'table' ? as : undefined })}
                options={[
                  { value: 'bars', label: t('statistics.asBars'), icon: ChartNoAxesColumn },
                  { value: 'table', label: t('statistics.asTable'), icon: Table2 },
                ]}
              />
            </div>
            <div className="grid items-start gap-4 lg:grid-cols-2 print:grid-cols-1">
              <Bars title={t('statistics.byType')} bars={typeBars(statistics, options, period)} asTable={asTable} />
              <Bars title={t('statistics.byStatus')} bars={statusBars(statistics, period)} asTable={asTable} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

type PeriodProps = { period: Period; common: ReturnType<typeof periods>; onChange: (period: Period) => void };

function PeriodChoice({ period, common, onChange }: PeriodProps) {
  const part = partsOf('', period, (more) => onChange({ ...period, ...more }));
  return (
    <div className="flex flex-wrap items-end gap-3">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t('statistics.period')}</legend>
        {PERIODS.map((name) => {
          const { from, to } = common[name];
          return (
            <Chip key={name} pressed={from === period.from && to === period.to} onClick={() => onChange({ from, to })}>
              {t(`period.${name}`)}
            </Chip>
          );
        })}
      </fieldset>
      <div className="flex flex-wrap gap-2">
        {(['from', 'to'] as const).map((end) => (
          <TypedField key={end} type="date" required label={t(`filter.${end}`)} {...part(end)} />
        ))}
      </div>
    </div>
  );
}

const FIGURES = [
  'total',
  'upcoming',
  'inProgress',
  'completed',
  'cancelled',
  'totalRegistrations',
  'averageAttendance',
  'attendanceRate',
] as const satisfies readonly (keyof Statistics)[];

function figuresOf(statistics: Statistics) {
  const rate = statistics.attendanceRate === null ? '–' : percentText(statistics.attendanceRate);
  return FIGURES.map((name) => ({
    label: t(`figure.${name}`),
    value: name === 'attendanceRate' ? rate : numberText(statistics[name]),
  }));
}

function typeBars({ byType }: Statistics, { event_types }: Options, period: Period): Bar[] {
  const bars = event_types.map(({ value, icon, color }) => ({
    key: value,
    label: word('type', value),
    count: byType[value],
    icon: iconOf(icon),
    tone: toneOf(color),
    to: { ...period, type: [value] },
  }));
  return bars.sort((a, b) => b.count - a.count);
}

const TONES: Readonly<Record<string, string>> = {
  scheduled: 'indigo',
  published: 'blue',
  in_progress: 'emerald',
  completed: 'gray',
  cancelled: 'red',
  postponed: 'amber',
};

const statusBars = ({ byStatus }: Statistics, period: Period): Bar[] =>
  Object.entries(byStatus).map(([status, count]) => ({
    key: status,
    label: word('status', status),
    count,
    tone: TONES[status] ?? 'none',
    // Drafts are not in the calendar but in a list of their own.
    to: { ...period, ...(status === 'draft' ? { drafts: true } : { status: [status] }) },
  }));
