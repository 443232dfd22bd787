import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronRight, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/queries.ts';
import { serverNow } from '../api/server-clock.ts';
import type { PeopleCount } from '../api/types.ts';
import { groupsText, peopleQuery } from '../event-parts/people.ts';
import { Chip } from '../parts/button.tsx';
import { SearchBox } from '../parts/forms/search-box.tsx';
import { List, Loaded, Section } from '../parts/page.tsx';
import { language, numberText, t, word } from '../texts/texts.ts';
import { OUTCOMES, type Outcome, type Total, totalsByChannel } from './delivery-totals.ts';
import { type Reported, reportList, reportQuery } from './report.ts';
import { WhyDialog } from './why-dialog.tsx';

type About = { about: Reported };

/** When to refetch: often right after a change of the event, which causes messages; then while messages wait. */
const refetchMs = ({ updated_at }: Reported, isWaiting: boolean): number | false =>
  serverNow() - Date.parse(updated_at) < 60_000 ? 2_000 : isWaiting && 10_000;

/** Delivery report for staff: how many people each message reached, whom it missed, and the channels. */
export function Deliveries({ about }: About) {
  const counts = useQuery({
    ...reportQuery(about, 'deliveries/people', { limit: 1 }),
    refetchInterval: ({ state: { data } }) =>
      refetchMs(about, data?.counts.some(({ waiting }) => waiting > 0) ?? false),
  });
  return (
    <Section title={t('event.deliveries')} icon={MailCheck}>
      <Loaded query={counts}>{({ counts }) => <Report about={about} counts={counts} />}</Loaded>
    </Section>
  );
}

function Report({ about, counts }: About & { counts: readonly PeopleCount[] }) {
  const [shown, setShown] = useState<Outcome>();
  const [name, setName] = useState('');
  const total = (outcome: Outcome) => counts.reduce((sum, count) => sum + count[outcome], 0);
  return (
    <div className="grid gap-3">
      {counts.length === 0 && <p className="text-soft">{t('deliveries.none')}</p>}
      <ul>
        {counts.map(({ trigger, reached, waiting, missed }) => (
          <li key={trigger}>
            <span className="font-medium">{word('trigger', trigger)}</span>:{' '}
            {t('deliveries.reached', { reached, people: reached + waiting + missed })}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-1.5">
        {OUTCOMES.filter((outcome) => total(outcome) > 0).map((outcome) => (
          <Chip
            key={outcome}
            pressed={shown === outcome}
            onClick={() => setShown(shown === outcome ? undefined : outcome)}
          >
            <span className="min-w-0 wrap-anywhere">
              {t(`outcome.${outcome}`)} <span className="tabular-nums">{numberText(total(outcome))}</span>
            </span>
          </Chip>
        ))}
        <SearchBox value={name} onChange={setName} />
      </div>
      {shown || name ? (
        <People about={about} outcome={shown} name={name} />
      ) : (
        counts.length > 0 && <Totals about={about} />
      )}
    </div>
  );
}

/** The messages by trigger and channel, with the reasons why some were not sent. */
function Totals({ about }: About) {
  const summary = useQuery({
    ...reportQuery(about, 'deliveries/summary'),
    refetchInterval: ({ state: { data } }) =>
      refetchMs(
        about,
        totalsByChannel(data?.data ?? []).some(({ waiting }) => waiting > 0),
      ),
  });
  return <Loaded query={summary}>{({ data }) => <Channels totals={totalsByChannel(data)} />}</Loaded>;
}

function Channels({ totals }: { totals: readonly Total[] }) {
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-soft max-sm:sr-only">
          <tr>
            <th className="py-1 pr-3 font-medium">{t('message.what')}</th>
            <th className="py-1 pr-3 font-medium">{t('message.channel')}</th>
            <th className="py-1 text-right font-medium">{t('deliveries.sent')}</th>
            <th className="py-1 pl-3 font-medium">{t('deliveries.notSent')}</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ trigger, channel, sent, waiting, reasons }) => (
            <tr
              key={trigger + channel}
              className="border-t border-line align-top max-sm:grid max-sm:grid-cols-[1fr_auto_auto] max-sm:gap-x-3 max-sm:py-1"
            >
              <td className="py-1.5 pr-3">{word('trigger', trigger)}</td>
              <td className="py-1.5 pr-3 text-soft">{word('channel', channel)}</td>
              <td className="py-1.5 text-right tabular-nums">
                {numberText(sent)}
                {waiting > 0 && (
                  <span className="block text-xs whitespace-nowrap text-soft">
                    {t('deliveries.more', { count: waiting })}
                  </span>
                )}
              </td>
              <td className="py-1.5 pl-3 text-soft max-sm:col-span-3 max-sm:py-0 max-sm:pl-0 max-sm:empty:hidden">
                {list.format(reasons.map(({ reason, count }) => `${numberText(count)} × ${word('reason', reason)}`)) ||
                  '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The people with this outcome and name, also those of the directory who got no message; each opens the explanation. */
function People({ about, outcome, name }: About & { outcome: Outcome | undefined; name: string }) {
  const [asked, setAsked] = useState<{ user_id: string; name: string } | null>(null);
  const people = useInfiniteQuery({
    ...reportList(about, 'deliveries/people', { outcome, name: name || undefined, limit: 50 }),
    placeholderData: keepPreviousData,
  });
  const directory = useQuery(peopleQuery(useMay('choose_audience') && !outcome ? name : ''));
  const listed = new Set(people.data?.map(({ user_id }) => user_id));
  const others = (name && !people.hasNextPage && directory.data?.data.filter((one) => !listed.has(one.user_id))) || [];
  return (
    <>
      <List query={people} none={others.length > 0 ? null : t('deliveries.noOne')} className="-mx-2">
        {(one) => (
          <Person key={one.id} name={one.name} onAsk={() => setAsked(one)}>
            {[
              word('trigger', one.trigger),
              t(`outcome.${one.outcome}`),
              ...(one.outcome === 'reached' ? [] : one.reasons.map((reason) => word('reason', reason))),
            ].join(' · ')}
          </Person>
        )}
      </List>
      {others.length > 0 && (
        <ul aria-label={t('deliveries.others')} className="-mx-2">
          {others.map((one) => (
            <Person key={one.user_id} name={one.name} onAsk={() => setAsked(one)}>
              {[t('deliveries.others'), groupsText(one)].filter(Boolean).join(' · ')}
            </Person>
          ))}
        </ul>
      )}
      {asked && <WhyDialog about={about} person={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Person({ name, onAsk, children }: { name: string; onAsk: () => void; children: string }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={onAsk}
        className="flex min-h-11 w-full items-center gap-3 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
      >
        <span className="min-w-0 grow">
          <span className="block font-medium">{name}</span>
          <span className="block text-sm text-soft">{children}</span>
        </span>
        <ChevronRight size={17} className="shrink-0 text-soft" />
      </button>
    </li>
  );
}
