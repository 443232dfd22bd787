import { useQuery } from '@tanstack/react-query';
import { BellOff, BellRing, CircleCheck } from 'lucide-react';
import { errorText } from '../api/problem.ts';
import { invalidate } from '../api/queries.ts';
import type { Me } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { announce, showNotice } from '../parts/notices.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { loadPushState, startPush, stopPush } from './push.ts';

/** Asked for again and again, because the user may change the permission beside the page. */
const stateQuery = { queryKey: ['preferences', 'push'], queryFn: loadPushState, staleTime: 0, refetchInterval: 1_000 };

/** Turns push messages on this browser on and off; explains what to do if the browser blocks them. */
export function PushCard({ publicKey, me }: { publicKey: string | null; me: Me }) {
  const { data: state } = useQuery(stateQuery);
  const change = useFormMutation({
    mutationFn: (starts: boolean): Promise<unknown> => (starts ? startPush(publicKey ?? '', me.user_id) : stopPush()),
    onSuccess: (now, starts) => {
      if (now !== 'denied' && now !== 'off') announce(starts ? t('push.on') : t('push.stopped'));
    },
    onError: (error) => showNotice(error instanceof DOMException ? t('push.failed') : errorText(error), { bad: true }),
    onSettled: () => invalidate(stateQuery.queryKey),
  });
  return (
    <Section id="push" title={t('push.title')} text={t('push.text')}>
      {publicKey === null ? (
        <p className="text-soft">{t('push.notSetUp')}</p>
      ) : state === 'on' ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex items-center gap-2 font-medium text-good">
            <CircleCheck size={18} />
            {t('push.on')}
          </p>
          <Button busy={change.isPending} onClick={() => change.mutate(false)} icon={BellOff}>
            {t('push.stop')}
          </Button>
        </div>
      ) : state === 'off' ? (
        <Button look="main" busy={change.isPending} onClick={() => change.mutate(true)} icon={BellRing}>
          {t('push.start')}
        </Button>
      ) : state === 'denied' ? (
        <div role="note" className="grid gap-2 rounded-lg bg-warn-soft p-4">
          <p className="font-medium text-warn">{t('push.denied')}</p>
          <ol className="ml-5 list-decimal space-y-1">
            {(['1', '2', '3'] as const).map((step) => (
              <li key={step}>{t(`push.denied.${step}`)}</li>
            ))}
          </ol>
        </div>
      ) : state === 'unsupported' ? (
        <p className="text-soft">{t('push.unsupported')}</p>
      ) : (
        <div className="h-9" />
      )}
    </Section>
  );
}
