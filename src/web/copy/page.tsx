import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { invalidateEvent, listQuery } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { useToday } from '../api/use-now.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox } from '../parts/forms/checkbox.tsx';
import { Choice } from '../parts/forms/choice.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Empty, Failure, Loaded, MoreButton, Page, PageHeader } from '../parts/page.tsx';
import { type Period, periods } from '../statistics/period.ts';
import { addDays, addMonths, dayRange, shortDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';

/** 52 weeks, so that the weekday stays. */
const YEAR_DAYS = 364;

const SHOWN = ['title', 'start_date', 'is_recurring', 'parent_event_id'] as const;
type Listed = Pick<SchoolEvent, 'id' | (typeof SHOWN)[number]>;

/** The events that start in a period. */
const eventsQuery = ({ from, to }: Period) =>
  listQuery(['events', 'copy', from, to], '/api/v1/operations/events', {
    query: { start_date_from: from, start_date_to: to, fields: [...SHOWN], limit: 100 },
  });

/** Copies events of a school year as drafts onto the same weekday 52 weeks later. */
export default function CopyPage() {
  const navigate = useNavigate();
  const today = useToday();
  const { year } = periods(today);
  const lastYear = { from: addMonths(year.from, -12), to: addDays(year.from, -1) };
  const [into, setInto] = useState<'this' | 'next'>('this');
  const from = into === 'this' ? lastYear : year;
  const found = useInfiniteQuery(eventsQuery(from));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  // A series is copied by its first date. Events that would lie in the past are not offered.
  const offered = (found.data as Listed[] | undefined)?.filter(
    ({ id, parent_event_id, start_date }) =>
      parent_event_id === null && addDays(start_date, YEAR_DAYS) >= today && !done.has(id),
  );
  const picked = offered?.filter(({ id }) => chosen.has(id)) ?? [];
  const copy = useFormMutation({
    mutationFn: async (events: readonly Listed[]) => {
      for (const { id, title, start_date } of events) {
        const body = { title, start_date: addDays(start_date, YEAR_DAYS) };
        await unwrap(api.POST('/api/v1/operations/events/{id}/duplicate', { params: { path: { id } }, body }));
        // If a later copy fails, the next try leaves these out.
        setDone((before) => new Set([...before, id]));
      }
      return events.length;
    },
    // A retry would copy the first events again.
    retry: false,
    onSuccess: (count) => showNotice(t('copy.done', { count })),
    onSettled: () => void invalidateEvent(),
  });
  const showDrafts = () => navigate({ to: '/events', search: { drafts: true } });
  const choose = (ids: readonly string[]) => (on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  return (
    <Page title={t('copy.title')} needs="create_event">
      <PageHeader title={t('copy.title')} text={t('copy.text')} />
      <div className="grid gap-4">
        <Choice
          label={t('copy.from')}
          value={into}
          onChange={setInto}
          options={[
            { value: 'this', label: dayRange(lastYear.from, lastYear.to) },
            { value: 'next', label: dayRange(year.from, year.to) },
          ]}
        />
        <Loaded query={{ ...found, data: offered }}>
          {(events) =>
            events.length === 0 ? (
              <Empty title={t('copy.none')} />
            ) : (
              <div className="grid rounded-card border border-line bg-card p-2 sm:p-3">
                <Checkbox value={picked.length === events.length} onChange={choose(events.map(({ id }) => id))}>
                  {t('copy.all')}
                </Checkbox>
                <ul>
                  {events.map(({ id, title, start_date, is_recurring }) => (
                    <li key={id} className="border-t border-line py-0.5 max-sm:py-1.5">
                      <Checkbox value={chosen.has(id)} onChange={choose([id])}>
                        <span className="grid min-w-0 grow sm:grid-cols-[1fr_auto] sm:gap-4">
                          <span className="font-medium wrap-anywhere">{title}</span>
                          <span className="text-sm text-soft">
                            {is_recurring && `${t('copy.series')}, `}
                            {shortDay(start_date)} → {shortDay(addDays(start_date, YEAR_DAYS))}
                          </span>
                        </span>
                      </Checkbox>
                    </li>
                  ))}
                </ul>
                <MoreButton query={found} />
              </div>
            )
          }
        </Loaded>
        <Failure error={copy.error} />
        <Button
          look="main"
          className="justify-self-start"
          busy={copy.isPending}
          disabled={picked.length === 0}
          // Many copies take long: a user who has gone on to another page stays there.
          onClick={() => copy.mutate(picked, { onSuccess: showDrafts })}
        >
          {t('copy.button', { count: picked.length })}
        </Button>
      </div>
    </Page>
  );
}
