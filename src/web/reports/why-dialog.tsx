import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { invalidate, useMay } from '../api/queries.ts';
import { AskButton } from '../parts/ask.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { joinDecisions } from './delivery-totals.ts';
import { type Reported, reportQuery } from './report.ts';

/** What can be done about a reason; a browser has no address that staff could correct. */
const nextStep = (reason: string, channel: string | null): string => (channel === 'push' ? `push.${reason}` : reason);

type Props = { about: Reported; person: { user_id: string; name: string }; onClose: () => void };

/** Every decision on whether to notify this person, with its reason; staff send a failed message again. */
export function WhyDialog({ about, person, onClose }: Props) {
  const retries = useMay('manage_deliveries');
  const decisions = useQuery(reportQuery(about, 'deliveries', { user_id: person.user_id }));
  return (
    <Dialog title={t('deliveries.why', { name: person.name })} onClose={onClose}>
      <Loaded query={decisions}>
        {({ why = [] }) => (
          <ul className="grid gap-2.5">
            {why.length === 0 && <li className="text-soft">{t('deliveries.noReason')}</li>}
            {joinDecisions(why).map(({ delivery_id, trigger, channel, at, reason, text, retryable, count }) => (
              <li key={`${trigger} ${channel} ${at} ${text}`}>
                <p>
                  <span className="font-medium">{word('trigger', trigger)}</span>
                  {channel && <span className="text-soft"> · {word('channel', channel)}</span>}
                  {count > 1 && <span className="text-soft tabular-nums"> × {count}</span>}
                </p>
                <p className="text-sm text-soft">
                  {text} · <time dateTime={at}>{momentIn(at)}</time>
                </p>
                <p className="text-sm empty:hidden">{reason && word('nextStep', nextStep(reason, channel), '')}</p>
                {retries && retryable && delivery_id && (
                  <AskButton icon={RotateCcw} label={t('deliveries.retry')} run={() => retry(about, delivery_id)}>
                    {t('deliveries.retry.text')}
                  </AskButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}

async function retry({ kind, id }: Reported, delivery_id: string): Promise<void> {
  await unwrap(api.POST('/api/v1/operations/deliveries/retry', { body: { delivery_id } }));
  showNotice(t('ops.redriven'));
  await invalidate([kind, id]);
}
