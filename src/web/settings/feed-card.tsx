import { useMutation } from '@tanstack/react-query';
import { CalendarSync, RefreshCw, Trash2 } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { invalidate } from '../api/queries.ts';
import { AskButton } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { FeedAddress } from '../parts/feed-address.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Section } from '../parts/page.tsx';
import { inZone, longDay, ownZone } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { settingsQuery } from './queries.ts';

/** The secret link to the user's calendar feed: shown once, can be replaced and removed. */
export function FeedCard({ since }: { since: string | null }) {
  const reload = () => invalidate(settingsQuery.queryKey);
  const creation = useMutation({ mutationFn: () => unwrap(api.POST('/api/v1/me/feed')), onSettled: reload });
  const address = creation.data?.url;
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/me/feed'));
    creation.reset();
    showNotice(t('feed.revoked'));
    await reload();
  };
  return (
    <Section id="feed" title={t('feed.title')} text={t('feed.text')}>
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
          <Button look="main" busy={creation.isPending} onClick={() => creation.mutate()} icon={CalendarSync}>
            {t('feed.make')}
          </Button>
        ) : (
          <>
            <AskButton
              icon={RefreshCw}
              label={t('feed.renew')}
              title={t('feed.renew.ask')}
              run={() => creation.mutateAsync()}
            >
              {t('feed.renew.text')}
            </AskButton>
            <AskButton look="danger" icon={Trash2} label={t('feed.revoke')} title={t('feed.revoke.ask')} run={remove}>
              {t('feed.revoke.text')}
            </AskButton>
          </>
        )}
      </div>
    </Section>
  );
}
