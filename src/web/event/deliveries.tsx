import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronRight, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { listQuery } from '../api/queries.ts';
import type { Delivery } from '../api/types.ts';
import { Chip } from '../parts/button.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { language, t, word } from '../texts/texts.ts';
import { OUTCOMES, type Outcome, statusesOf, type Total, totalsByChannel } from './delivery-totals.ts';
import { Section } from './section.tsx';
import { WhyDialog } from './why-dialog.tsx';

/** Delivery report for staff: messages by trigger, channel and outcome, with reasons. */
export function Deliveries({ id }: { id: string }) {
  const summary = useQuery({
    queryKey: ['event', id, 'deliveries', 'summary'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/operations/events/{id}/deliveries/summary', { params: { path: { id } }, signal })),
  });
  return (
    <Section title={t('event.deliveries')} icon={<MailCheck size={17} aria-hidden />}>
      <Loaded query={summary} label={t('event.waiting')} lines={3}>
        {({ data }) => <Report id={id} totals={totalsByChannel(data)} />}
      </Loaded>
    </Section>
  );
}

function Report({ id, totals }: { id: string; totals: readonly Total[] }) {
  const [shown, setShown] = useState<Outcome | null>(null);
  const total = (outcome: Outcome) => totals.reduce((sum, { counts }) => sum + counts[outcome], 0);
  if (totals.length === 0) return <p className="text-soft">{t('deliveries.none')}</p>;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-1.5">
        {OUTCOMES.filter((outcome) => total(outcome) > 0).map((outcome) => (
          <Chip key={outcome} pressed={shown === outcome} onClick={() => setShown(shown === outcome ? null : outcome)}>
            {t(`outcome.${outcome}`)} <span className="tabular-nums">{total(outcome)}</span>
          </Chip>
        ))}
      </div>
      {shown ? <People key={shown} id={id} outcome={shown} /> : <Totals totals={totals} />}
    </div>
  );
}

function Totals({ totals }: { totals: readonly Total[] }) {
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-soft max-sm:sr-only">
          <tr>
            <th className="py-1 pr-3 font-medium">{t('deliveries.what')}</th>
            <th className="py-1 pr-3 font-medium">{t('reminder.channel')}</th>
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
                  <span className="block text-xs text-soft">{t('deliveries.more', { count: counts.waiting })}</span>
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
  );
}

/** The people with this outcome; each opens the explanation. */
function People({ id, outcome }: { id: string; outcome: Outcome }) {
  const [asked, setAsked] = useState<{ user_id: string; name: string } | null>(null);
  const status = statusesOf(outcome);
  const deliveries = useInfiniteQuery(
    listQuery(['event', id, 'deliveries', outcome], (cursor, signal) => {
      const params = { path: { id }, query: { status, limit: 50, cursor } };
      return unwrap(api.GET('/api/v1/operations/events/{id}/deliveries', { params, signal }));
    }),
  );
  return (
    <>
      <Loaded query={deliveries} label={t('event.waiting')} lines={3}>
        {(rows) => (
          <ul className="-mx-2">
            {rows
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
        )}
      </Loaded>
      <MoreButton query={deliveries} />
      {asked && <WhyDialog id={id} person={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const namesOf = ({ name, on_behalf_of }: Delivery): string =>
  on_behalf_of.length > 0 ? `${name} (${on_behalf_of.map((one) => one.name).join(', ')})` : name;
