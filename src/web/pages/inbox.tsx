import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function InboxPage() {
  return (
    <Page title={t('nav.inbox')}>
      <h1 className="text-2xl font-semibold">{t('nav.inbox')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/inbox')({ component: InboxPage });
