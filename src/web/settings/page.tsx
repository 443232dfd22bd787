import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { meQuery } from '../api/queries.ts';
import { joined, Loaded, Page, PageHeader, Section } from '../parts/page.tsx';
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
  const me = useQuery(meQuery);
  return (
    <Page title={t('nav.settings')}>
      <PageHeader title={t('nav.settings')} />
      <Loaded query={joined({ choices, own, me })} lines={8}>
        {({ choices, own, me }) => (
          <div className="grid gap-4">
            <Section id="messages" title={t('settings.messages')} text={t('settings.messages.text')}>
              <Matrix messages={choices.messages} preferences={own} />
            </Section>
            <QuietCard school={choices.quiet_hours} preferences={own} />
            <PushCard publicKey={choices.push?.public_key ?? null} me={me} />
            <LookCard locales={choices.locales} preferences={own} />
            {me.may.includes('view_events') && <FeedCard since={choices.feed_created_at} />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/settings')({ component: SettingsPage });
