import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronRight, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import type { Delivery } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Trouble } from '../parts/page.tsx';
import { language, t, word } from '../texts/texts.ts';
import { Section } from './section.tsx';
import { OUTCOMES, type Outcome, outcomeOf, sumsOf } from './told-sums.ts';
import { WhyDialog } from './why-dialog.tsx';

/** For staff: how many were told of what, who wasn't, and why. */
export function Deliveries({ id }: { id: string }) {
  const [shown, setShown] = useState<Outcome | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['event', id, 'deliveries', 'summary'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/operations/events/{id}/deliveries/summary', { params: { path: { id } }, signal })),
  });
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  const sums = sumsOf(data?.data ?? []);
  const total = (outcome: Outcome) => sums.reduce((sum, { counts }) => sum + counts[outcome], 0);
  return (
    <Section title={t('event.deliveries')} icon={<MailCheck size={17} aria-hidden />}>
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : !data ? (
        <Waiting label={t('event.waiting')} lines={3} />
      ) : sums.length === 0 ? (
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
                  {sums.map(({ trigger, channel, counts, reasons }) => (
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

/** Those whose messages came to this, each with the way to why. */
function People({ id, outcome }: { id: string; outcome: Outcome }) {
  const [asked, setAsked] = useState<{ user_id: string; name: string } | null>(null);
  const status = outcomeOf(outcome);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['event', id, 'deliveries', outcome],
    queryFn: ({ signal, pageParam }) =>
      bodyOf(
        api.GET('/api/v1/operations/events/{id}/deliveries', {
          params: { path: { id }, query: { status, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (error) return <Trouble error={error} again={() => void refetch()} />;
  if (!data) return <Waiting label={t('event.waiting')} lines={3} />;
  return (
    <>
      <ul className="-mx-2">
        {data.pages
          .flatMap((page) => page.data)
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
