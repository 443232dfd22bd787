import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronRight, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import type { Delivery } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { ErrorMessage } from '../parts/page.tsx';
import { language, t, word } from '../texts/texts.ts';
import { OUTCOMES, type Outcome, statusesOf, totalsByChannel } from './delivery-totals.ts';
import { Section } from './section.tsx';
import { WhyDialog } from './why-dialog.tsx';

/** Delivery report for staff: messages by trigger, channel and outcome, with reasons. */
export function Deliveries({ id }: { id: string }) {
  const [shown, setShown] = useState<Outcome | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['event', id, 'deliveries', 'summary'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/operations/events/{id}/deliveries/summary', { params: { path: { id } }, signal })),
  });
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  const totals = totalsByChannel(data?.data ?? []);
  const total = (outcome: Outcome) => totals.reduce((sum, { counts }) => sum + counts[outcome], 0);
  return (
    <Section title={t('event.deliveries')} icon={<MailCheck size={17} aria-hidden />}>
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton label={t('event.waiting')} lines={3} />
      ) : totals.length === 0 ? (
        <p className="text-soft">{t('deliveries.none')}</p>
      ) : (
        <div className="grid gap-3">
          <div className="flex flex-wrap gap-1.5">
            {OUTCOMES.filter((outcome) => total(outcome) > 0).map((outcome) => (
              <button
                key={outcome}
                type="button"
                aria-pressed={shown === outcome}
                onClick={() => setShown(shown === outcome ? null : outcome)}
                className="min-h-8 rounded-full border border-line bg-card px-3 text-sm hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
              >
                {t(`outcome.${outcome}`)} <span className="tabular-nums">{total(outcome)}</span>
              </button>
            ))}
          </div>
          {shown ? (
            <People key={shown} id={id} outcome={shown} />
          ) : (
            <div className="overflow-x-auto">
              <table className="w-full text-left text-sm">
                <thead className="text-soft max-sm:sr-only">
                  <tr>
                    <th className="py-1 pr-3 font-medium">{t('deliveries.what')}</th>
                    <th className="py-1 pr-3 font-medium">{t('deliveries.channel')}</th>
                    <th className="py-1 text-right font-medium">{t('outcome.sent')}</th>
                    <th className="py-1 pl-3 font-medium">{t('outcome.not')}</th>
                  </tr>
                </thead>
                <tbody>
                  {totals.map(({ trigger, channel, counts, reasons }) => (
                    <tr
                      key={trigger + channel}
                      className="border-t border-line align-top max-sm:grid max-sm:grid-cols-[1fr_auto_auto] max-sm:gap-x-3 max-sm:py-1"
                    >
                      <td className="py-1.5 pr-3">{word('trigger', trigger)}</td>
                      <td className="py-1.5 pr-3 text-soft">{word('channel', channel)}</td>
                      <td className="py-1.5 text-right tabular-nums">
                        {counts.sent}
                        {counts.waiting > 0 && (
                          <span className="block text-xs text-soft">
                            {t('deliveries.more', { count: counts.waiting })}
                          </span>
                        )}
                      </td>
                      <td className="py-1.5 pl-3 text-soft max-sm:col-span-3 max-sm:py-0 max-sm:pl-0 max-sm:empty:hidden">
                        {list.format(reasons.map(({ reason, count }) => `${count} × ${word('reason', reason)}`)) || '–'}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </div>
      )}
    </Section>
  );
}

/** The people with this outcome; each opens the explanation. */
function People({ id, outcome }: { id: string; outcome: Outcome }) {
  const [asked, setAsked] = useState<{ user_id: string; name: string } | null>(null);
  const status = statusesOf(outcome);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['event', id, 'deliveries', outcome],
    queryFn: ({ signal, pageParam }) =>
      unwrap(
        api.GET('/api/v1/operations/events/{id}/deliveries', {
          params: { path: { id }, query: { status, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('event.waiting')} lines={3} />;
  return (
    <>
      <ul className="-mx-2">
        {data.pages
          .flatMap((page) => page.data)
          .filter(({ reason }) => reason !== 'channel_off')
          .map((one) => (
            <li key={one.id} className="border-t border-line first:border-t-0">
              <button
                type="button"
                onClick={() => setAsked(one)}
                className="flex min-h-11 w-full items-center gap-3 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
              >
                <span className="min-w-0 grow">
                  <span className="block font-medium">{namesOf(one)}</span>
                  <span className="block text-sm text-soft">
                    {[word('trigger', one.trigger), word('channel', one.channel), one.reason_text]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <ChevronRight size={17} aria-hidden className="shrink-0 text-soft" />
              </button>
            </li>
          ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('timeline.more')}
        </Button>
      )}
      {asked && <WhyDialog id={id} person={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const namesOf = ({ name, on_behalf_of }: Delivery): string =>
  on_behalf_of.length > 0 ? `${name} (${on_behalf_of.map((one) => one.name).join(', ')})` : name;
