import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function EventPage() {
  return (
    <Page title={t('nav.edit')}>
      <h1 className="text-2xl font-semibold">{t('nav.edit')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/events/$id')({ component: EventPage });
