import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CalendarX2, LogIn, Printer, Rss } from 'lucide-react';
import { type ComponentProps, useMemo } from 'react';
import { api, unwrap } from '../api/client.ts';
import { isMissing, isTemporary } from '../api/problem.ts';
import { getQuery, loadAll } from '../api/queries.ts';
import type { PublicEvent } from '../api/types.ts';
import { MINUTE, useNow } from '../api/use-now.ts';
import { Logo } from '../app/school-look.tsx';
import { MiniMonth } from '../calendar/mini-month.tsx';
import { toneOf } from '../event-parts/badge.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { FeedAddress } from '../parts/feed-address.tsx';
import { Notices } from '../parts/notices.tsx';
import { OtherLanguages } from '../parts/other-languages.tsx';
import { cardList, Empty, joined, Loaded, NotFound, Section, usePageTitle } from '../parts/page.tsx';
import { StepButton } from '../parts/step-button.tsx';
import { rememberSchool } from '../session/stored.ts';
import { addDays, addMonths, groupByDay, inZone, longDay, monthName, ownZone, weekdayOf } from '../texts/dates.ts';
import { inLanguage } from '../texts/in-language.ts';
import { capital, t } from '../texts/texts.ts';
import { EventLine } from './event-line.tsx';

/** The school's public data. */
const schoolQuery = (school_id: string) =>
  queryOptions({
    queryKey: ['public', school_id],
    queryFn: async ({ signal }) => {
      const path = '/api/v1/public/schools/{school_id}';
      const school = await unwrap(api.GET(path, { params: { path: { school_id } }, signal }));
      rememberSchool(school);
      return school;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The event of a shared link. */
const sharedQuery = (school_id: string, id: string) =>
  getQuery(
    ['public', school_id, 'event', id],
    '/api/v1/public/schools/{school_id}/events/{id}',
    { path: { school_id, id } },
    { enabled: id !== '', select: (event) => inLanguage(event) },
  );

/** Public events that take place, at least in part, in the whole weeks of the month of a date. */
const publicQuery = (school_id: string, month: string) =>
  queryOptions({
    queryKey: ['public', school_id, 'month', month],
    queryFn: ({ signal }) =>
      loadAll(
        '/api/v1/public/schools/{school_id}/events',
        { path: { school_id }, query: { month, limit: 100 } },
        signal,
      ),
    select: (events) => events.map((event) => inLanguage(event)),
    placeholderData: keepPreviousData,
  });

/** Reports the height of an element to the website that shows it in a frame, and each change of it. */
function reportHeight(element: HTMLElement | null) {
  const observer = new ResizeObserver(() => window.parent.postMessage({ height: element?.offsetHeight }, '*'));
  if (element) observer.observe(element);
  return () => observer.disconnect();
}

/**
 * The school's public calendar, without sign-in: to read, print and subscribe to, or in a frame on the school's website, from
 * which its links open in a tab of their own.
 */
export default function PublicCalendar() {
  const embedded = useLocation().pathname.startsWith('/embed/');
  const frame = embedded ? reportHeight : undefined;
  const { school: id = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const schools = useQuery(schoolQuery(id));
  const { data: school, error } = schools;
  const now = useNow(MINUTE);
  const today = inZone(now, school?.timezone ?? ownZone()).day;
  const { data: shared, error: sharedError, isLoading } = useQuery(sharedQuery(id, search.event ?? ''));
  const date = search.date ?? shared?.start_date ?? today;
  const first = `${date.slice(0, 7)}-01`;
  const month = first.slice(0, 7);
  // Whole weeks, as the small month shows them.
  const nextFirst = addMonths(first, 1);
  const sunday = addDays(nextFirst, ((7 - weekdayOf(nextFirst)) % 7) - 1);
  const listed = useQuery({ ...publicQuery(id, first), enabled: !isLoading });
  const { data: events } = listed;
  const days = useMemo(() => daysOf(events ?? [], first, sunday), [events, first, sunday]);
  const isPast = ({ events }: Day) => events.every((one) => one.end_date < today && one.id !== shared?.id);
  const past = month === today.slice(0, 7) ? days.filter(isPast) : [];
  const ahead = days.filter((one) => !past.includes(one));
  const go = (to: string) => void navigate({ to: '.', search: { date: to } as never });
  const step = (by: number) => go(addMonths(first, by));
  usePageTitle([monthName(first), school?.name].filter(Boolean).join(' · '));
  if (isMissing(error))
    return <main ref={frame}>{embedded ? <Empty title={<h1>{t('notFound.title')}</h1>} /> : <NotFound />}</main>;
  const choose = (day: string) => {
    go(day);
    requestAnimationFrame(() => document.getElementById(`day-${day}`)?.scrollIntoView({ block: 'center' }));
  };
  const feed = `${window.location.origin}/api/v1/public/schools/${encodeURIComponent(id)}/calendar.ics`;
  const typeOf = ({ event_type }: PublicEvent) => school?.event_types.find(({ value }) => value === event_type);
  return (
    <div ref={frame} className={embedded ? '' : 'flex min-h-dvh flex-col'}>
      <header hidden={embedded} className="border-b border-line bg-card">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
          <Logo school={school} />
          <div className="min-w-0 grow">
            <p className="truncate text-lg leading-tight font-semibold">{school?.name ?? ''}</p>
            <p className="text-sm text-soft">{t('public.title')}</p>
          </div>
          <div data-print="no" className="ml-auto flex flex-wrap items-center gap-1">
            <OtherLanguages />
            <ButtonLink to="/sign-in" icon={LogIn}>
              {t('signIn.button')}
            </ButtonLink>
          </div>
        </div>
      </header>
      <main className="mx-auto grid w-full max-w-5xl grow items-start gap-5 px-4 py-5 sm:px-6 lg:grid-cols-[20rem_minmax(0,1fr)] print:block">
        <div className="min-w-0">
          <div className="mb-3 flex flex-wrap items-center gap-1">
            <StepButton by={-1} onStep={step} />
            <h1 aria-live="polite" className="text-lg font-semibold sm:text-xl">
              {capital(monthName(first))}
            </h1>
            <StepButton by={1} onStep={step} />
            <Button className="ml-auto" hidden={embedded} onClick={() => window.print()} icon={Printer}>
              {t('print')}
            </Button>
          </div>
          {sharedError && !isTemporary(sharedError) && (
            <p role="status" className="mb-4 rounded-card bg-warn-soft px-4 py-3 text-warn">
              {t('public.notShared')}
            </p>
          )}
          <Loaded query={joined({ schools, listed })}>
            {() => (
              <>
                {past.length > 0 && (
                  <details data-print="open" className="mb-4">
                    <summary className="min-h-8 max-sm:min-h-11 content-center text-sm font-medium text-soft">
                      {t('public.earlier')}
                    </summary>
                    <div className="mt-2">
                      <Days days={past} typeOf={typeOf} />
                    </div>
                  </details>
                )}
                {ahead.length > 0 ? (
                  <Days days={ahead} typeOf={typeOf} open={shared?.id} />
                ) : (
                  <Empty icon={CalendarX2} title={t('public.none', { month: capital(monthName(first)) })}>
                    <Button className="mt-2" onClick={() => step(1)}>
                      {capital(monthName(nextFirst))}
                    </Button>
                  </Empty>
                )}
              </>
            )}
          </Loaded>
        </div>
        <div data-print="no" className="grid gap-4 lg:sticky lg:top-5 lg:-order-1">
          <section
            aria-label={t('calendar.pick')}
            className="rounded-card border border-line bg-card p-3 max-lg:hidden"
          >
            <MiniMonth
              month={first}
              chosen={date}
              today={today}
              onMonth={go}
              onChoose={choose}
              dots={(day) => (events ?? []).filter((one) => isOn(one, day)).map((one) => toneOf(typeOf(one)?.color))}
            />
          </section>
          <Section title={t('public.feed')} icon={Rss} text={t('public.feedHint')} spaced>
            <FeedAddress address={feed} label={t('public.address')} />
          </Section>
        </div>
      </main>
      <Notices />
    </div>
  );
}

type Day = { day: string; events: PublicEvent[] };

const isOn = ({ start_date, end_date }: PublicEvent, day: string): boolean => start_date <= day && end_date >= day;

/** Groups events by start date; events that began earlier go under the first of the month. */
function daysOf(all: readonly PublicEvent[], first: string, last: string): Day[] {
  const shown = all.filter(({ start_date, end_date }) => end_date >= first && start_date <= last);
  const days = groupByDay(shown, ({ start_date }) => (start_date < first ? first : start_date));
  return days.map(([day, events]) => ({ day, events })).sort((a, b) => a.day.localeCompare(b.day));
}

type Type = ComponentProps<typeof EventLine>['type'];
type DaysProps = { days: readonly Day[]; typeOf: (event: PublicEvent) => Type; open?: string };

const Days = ({ days, typeOf, open }: DaysProps) =>
  days.map(({ day, events }) => (
    <section key={day} id={`day-${day}`} aria-labelledby={`head-${day}`} className="mb-5 break-inside-avoid">
      <h2 id={`head-${day}`} className="mb-1.5 px-1 text-sm font-semibold text-soft">
        {capital(longDay(day))}
      </h2>
      <ul className={cardList}>
        {events.map((event) => (
          <EventLine key={event.id} event={event} type={typeOf(event)} isOpen={event.id === open} />
        ))}
      </ul>
    </section>
  ));
