import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, BellRing, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../api/problem.ts';
import type { Me } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { announce, showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { loadPushState, startPush, stopPush } from './push.ts';

const stateQuery = { queryKey: ['preferences', 'push'], queryFn: loadPushState, staleTime: 0 };

/** Turns push messages on this browser on and off; explains what to do if the browser blocks them. */
export function PushCard({ publicKey, me }: { publicKey: string | null; me: Me }) {
  const client = useQueryClient();
  const { data: state } = useQuery(stateQuery);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: stateQuery.queryKey });
    const asked = navigator.permissions?.query({ name: 'notifications' }).catch(() => null);
    void asked?.then((permission) => permission?.addEventListener('change', again));
    return () => void asked?.then((permission) => permission?.removeEventListener('change', again));
  }, [client]);

  const run = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      const now = await work();
      if (now !== 'denied' && now !== 'off') announce(done);
    } catch (error) {
      showNotice(error instanceof DOMException ? t('push.failed') : errorText(error), { bad: true });
    }
    setBusy(false);
    await client.invalidateQueries({ queryKey: stateQuery.queryKey });
  };

  return (
    <Card id="push" title={t('push.title')} text={t('push.text')}>
      {publicKey === null ? (
        <p className="text-soft">{t('push.notSetUp')}</p>
      ) : state === 'on' ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex items-center gap-2 font-medium text-good">
            <CircleCheck size={18} aria-hidden />
            {t('push.on')}
          </p>
          <Button busy={isBusy} onClick={() => void run(stopPush, t('push.stopped'))}>
            <BellOff size={17} aria-hidden />
            {t('push.stop')}
          </Button>
        </div>
      ) : state === 'off' ? (
        <Button
          look="main"
          busy={isBusy}
          onClick={() => void run(() => startPush(publicKey, me.user_id), t('push.on'))}
        >
          <BellRing size={17} aria-hidden />
          {t('push.start')}
        </Button>
      ) : state === 'denied' ? (
        <div role="note" className="grid gap-2 rounded-lg bg-warn-soft p-4">
          <p className="font-medium text-warn">{t('push.denied')}</p>
          <ol className="ml-5 list-decimal space-y-1">
            <li>{t('push.denied.1')}</li>
            <li>{t('push.denied.2')}</li>
            <li>{t('push.denied.3')}</li>
          </ol>
        </div>
      ) : state === 'unsupported' ? (
        <p className="text-soft">{t('push.unsupported')}</p>
      ) : (
        <div className="h-9" />
      )}
    </Card>
  );
}
