import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function CalendarPage() {
  return (
    <Page title={t('nav.calendar')}>
      <h1 className="text-2xl font-semibold">{t('nav.calendar')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/events')({ component: CalendarPage });
