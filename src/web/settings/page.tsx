import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { meQuery } from '../api/queries.ts';
import { Card } from '../parts/card.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { ErrorMessage, Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { FeedCard } from './feed-card.tsx';
import { LookCard } from './look-card.tsx';
import { Matrix } from './matrix.tsx';
import { PushCard } from './push-card.tsx';
import { preferencesQuery, settingsQuery } from './queries.ts';
import { QuietCard } from './quiet-card.tsx';

function SettingsPage() {
  const choices = useQuery(settingsQuery);
  const own = useQuery(preferencesQuery);
  const { data: me } = useQuery(meQuery);
  const failed = [choices, own].find(({ error, data }) => error && !data);
  return (
    <Page title={t('nav.settings')}>
      <h1 className="mb-4 text-2xl font-semibold">{t('nav.settings')}</h1>
      {failed ? (
        <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !choices.data || !own.data || !me ? (
        <Skeleton label={t('settings.waiting')} lines={8} />
      ) : (
        <div className="grid gap-4">
          <Card id="messages" title={t('settings.messages')} text={t('settings.messages.text')}>
            <Matrix messages={choices.data.messages} preferences={own.data} />
          </Card>
          <QuietCard school={choices.data.quiet_hours} preferences={own.data} />
          <PushCard publicKey={choices.data.push?.public_key ?? null} me={me} />
          <LookCard locales={choices.data.locales} preferences={own.data} />
          {me.may.includes('view_events') && <FeedCard since={choices.data.feed_created_at} />}
        </div>
      )}
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/settings')({ component: SettingsPage });
