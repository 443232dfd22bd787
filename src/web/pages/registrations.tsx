import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function RegistrationsPage() {
  return (
    <Page title={t('nav.registrations')}>
      <h1 className="text-2xl font-semibold">{t('nav.registrations')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/events/$id/registrations')({ component: RegistrationsPage });
