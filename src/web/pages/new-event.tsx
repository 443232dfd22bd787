import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function NewEventPage() {
  return (
    <Page title={t('nav.new')}>
      <h1 className="text-2xl font-semibold">{t('nav.new')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/events/new')({ component: NewEventPage });
