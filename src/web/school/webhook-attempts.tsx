import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Failure, List } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { attemptsQuery, reloadWebhooks, replay, type Webhook, type WebhookAttempt } from './webhook-data.ts';

/** The latest messages to a webhook, and what its receiver answered. */
export function WebhookAttempts({ webhook }: { webhook: Webhook }) {
  const attempts = useQuery(attemptsQuery(webhook.id));
  const again = useMutation({
    mutationFn: (id: string) => replay(webhook.id, id),
    meta: { showsError: true },
    onSuccess: () => showNotice(t('school.webhooks.replayed')),
    onSettled: reloadWebhooks,
  });
  return (
    <>
      <List query={attempts} lines={3} none={t('school.webhooks.attempts.none')}>
        {(attempt) => (
          <li key={attempt.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 p-3">
            <div className="min-w-0">
              <p className="font-medium">{word('fact', attempt.type)}</p>
              <p className="text-sm text-soft">{momentIn(attempt.created_at)}</p>
              <p className={`text-sm ${attempt.status === 'failed' ? 'text-bad' : 'text-soft'}`}>{resultOf(attempt)}</p>
            </div>
            {attempt.status !== 'pending' && webhook.enabled && (
              <Button
                busy={again.isPending && again.variables === attempt.id}
                icon={RotateCcw}
                of={word('fact', attempt.type)}
                onClick={() => again.mutate(attempt.id)}
              >
                {t('school.webhooks.replay')}
              </Button>
            )}
          </li>
        )}
      </List>
      <Failure error={again.error} />
    </>
  );
}

/** What became of a message, the last answer, and when it is tried again. */
function resultOf({ status, tries, next_try_at }: WebhookAttempt): string {
  const last = tries.at(-1);
  const answer = last?.status_code
    ? t('school.webhooks.answered', { code: last.status_code })
    : last?.problem && word('school.webhooks.problem', last.problem);
  const next = last && next_try_at && t('school.webhooks.nextTry', { when: momentIn(next_try_at) });
  return [word('school.webhooks.status', status), answer, next].filter(Boolean).join(' · ');
}
