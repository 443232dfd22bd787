import { useMutation } from '@tanstack/react-query';
import { CalendarSync, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { FeedAddress } from '../parts/feed-address.tsx';
import { showNotice } from '../parts/notices.tsx';
import { inZone, longDay, ownZone } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { settingsQuery } from './queries.ts';

/** The secret link to the user's calendar feed: shown once, can be replaced and removed. */
export function FeedCard({ since }: { since: string | null }) {
  const [asking, setAsking] = useState<'renew' | 'revoke' | null>(null);
  const change = useMutation({
    mutationFn: async (makes: boolean) => {
      if (makes) return (await unwrap(api.POST('/api/v1/me/feed'))).url;
      await unwrap(api.DELETE('/api/v1/me/feed'));
      showNotice(t('feed.revoked'));
      return null;
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
      setAsking(null);
    },
  });
  const address = change.data;
  return (
    <Card id="feed" title={t('feed.title')} text={t('feed.text')}>
      {address ? (
        <div className="mb-3 grid gap-2 rounded-lg bg-good-soft p-4">
          <p className="font-medium text-good">{t('feed.once')}</p>
          <FeedAddress address={address} label={t('feed.once')} />
        </div>
      ) : since ? (
        <p className="mb-3">{t('feed.since', { day: longDay(inZone(since, ownZone()).day) })}</p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {since === null ? (
          <Button look="main" busy={change.isPending} onClick={() => change.mutate(true)}>
            <CalendarSync size={17} aria-hidden />
            {t('feed.make')}
          </Button>
        ) : (
          <>
            <Button onClick={() => setAsking('renew')}>
              <RefreshCw size={17} aria-hidden />
              {t('feed.renew')}
            </Button>
            <Button look="danger" onClick={() => setAsking('revoke')}>
              <Trash2 size={17} aria-hidden />
              {t('feed.revoke')}
            </Button>
          </>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={t(`feed.${asking}.ask`)}
          confirm={t(`feed.${asking}`)}
          look={asking === 'revoke' ? 'danger' : 'main'}
          busy={change.isPending}
          onClose={() => setAsking(null)}
          onConfirm={() => change.mutate(asking === 'renew')}
        >
          <p>{t(`feed.${asking}.text`)}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
