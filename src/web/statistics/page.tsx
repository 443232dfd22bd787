import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { meQuery, optionsQuery } from '../api/queries.ts';
import type { Options, Statistics } from '../api/types.ts';
import { toneOf } from '../parts/badge.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { ErrorMessage, Page } from '../parts/page.tsx';
import { dayRange, ownZone } from '../texts/dates.ts';
import { formatTag, t, word } from '../texts/texts.ts';
import { type Bar, Bars } from './bars.tsx';
import { PERIODS, type Period, periods, type StatisticsSearch, todayIn } from './period.ts';

const statisticsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['statistics', period],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/operations/events/statistics', { params: { query: period }, signal })),
    placeholderData: keepPreviousData,
  });

/** Events and attendance in a period. */
function StatisticsPage() {
  const search = Route.useSearch();
  const me = useQuery(meQuery);
  const options = useQuery(optionsQuery);
  const common = periods(todayIn(me.data?.school.timezone ?? ownZone()));
  const period = {
    ...common.year,
    ...(search.from ? { from: search.from } : {}),
    ...(search.to ? { to: search.to } : {}),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery(statisticsQuery(period));
  return (
    <Page title={t('nav.statistics')} wide>
      <header className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-2xl font-semibold">{t('nav.statistics')}</h1>
          {period.from <= period.to && <p className="text-soft">{dayRange(period.from, period.to)}</p>}
        </div>
        <PeriodChoice search={search} period={period} common={common} />
      </header>
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : data && options.data ? (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <Figures statistics={data} />
          <div className="mb-3 flex justify-end">
            <ViewChoice search={search} />
          </div>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Bars
              title={t('statistics.byType')}
              bars={typeBars(data, options.data, period)}
              asTable={search.as === 'table'}
            />
            <Bars title={t('statistics.byStatus')} bars={statusBars(data, period)} asTable={search.as === 'table'} />
          </div>
        </div>
      ) : (
        <Skeleton lines={8} label={t('nav.statistics')} />
      )}
    </Page>
  );
}

function useChange(search: StatisticsSearch) {
  const navigate = useNavigate();
  return (more: { [K in keyof StatisticsSearch]: StatisticsSearch[K] | undefined }) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...more }).filter(([, value]) => value));
    void navigate({ to: '/statistics', search: next as StatisticsSearch, replace: true, resetScroll: false });
  };
}

type PeriodProps = { search: StatisticsSearch; period: Period; common: ReturnType<typeof periods> };

function PeriodChoice({ search, period, common }: PeriodProps) {
  const change = useChange(search);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t('statistics.period')}</legend>
        {PERIODS.map((name) => {
          const { from, to } = common[name];
          return (
            <button
              key={name}
              type="button"
              aria-pressed={from === period.from && to === period.to}
              onClick={() => change({ from, to })}
              className="min-h-9 rounded-full border border-line bg-card px-3 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
            >
              {t(`period.${name}`)}
            </button>
          );
        })}
      </fieldset>
      <div className="flex gap-2">
        {(['from', 'to'] as const).map((end) => (
          <Field key={end} label={t(`statistics.${end}`)}>
            {(props) => (
              <input
                {...props}
                type="date"
                value={period[end]}
                onChange={({ target }) => target.value && change({ ...period, [end]: target.value })}
                className={inputClass}
              />
            )}
          </Field>
        ))}
      </div>
    </div>
  );
}

function ViewChoice({ search }: { search: StatisticsSearch }) {
  const change = useChange(search);
  return (
    <fieldset className="flex rounded-lg border border-line bg-card p-0.5">
      <legend className="sr-only">{t('statistics.view')}</legend>
      {([undefined, 'table'] as const).map((as) => (
        <button
          key={as ?? 'bars'}
          type="button"
          aria-pressed={search.as === as}
          onClick={() => change({ as })}
          className="inline-flex min-h-8 items-center gap-2 rounded-md px-3 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
        >
          {as === 'table' ? <Table2 size={16} aria-hidden /> : <ChartNoAxesColumn size={16} aria-hidden />}
          {t(as === 'table' ? 'statistics.asTable' : 'statistics.asBars')}
        </button>
      ))}
    </fieldset>
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
] as const satisfies readonly (keyof Statistics)[];

function Figures({ statistics }: { statistics: Statistics }) {
  const number = new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 1 });
  return (
    <dl className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-7">
      {FIGURES.map((name) => (
        <div
          key={name}
          className="flex flex-col-reverse justify-end rounded-card border border-line bg-card px-4 py-3 max-sm:first:col-span-2"
        >
          <dt className="text-sm leading-snug text-soft">{t(`figure.${name}`)}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{number.format(statistics[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

function typeBars({ byType }: Statistics, { event_types }: Options, { from }: Period): Bar[] {
  const bars = event_types.map(({ value, icon, color }) => ({
    key: value,
    label: word('type', value),
    count: byType[value],
    icon: <Icon name={icon} size={17} />,
    tone: toneOf(color),
    to: { view: 'agenda' as const, date: from, type: [value] },
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

const statusBars = ({ byStatus }: Statistics, { from }: Period): Bar[] =>
  Object.entries(byStatus).map(([status, count]) => ({
    key: status,
    label: word('status', status),
    count,
    tone: TONES[status] ?? 'none',
    // Drafts are not in the calendar but in a list of their own.
    to:
      status === 'draft'
        ? { view: 'agenda', date: from, drafts: true }
        : { view: 'agenda', date: from, status: [status] },
  }));

export const Route = createLazyRoute('/signed-in/statistics')({ component: StatisticsPage });
