import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function VisitorsPage() {
  return (
    <Page title={t('nav.calendar')}>
      <h1 className="text-2xl font-semibold">{t('nav.calendar')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/public/$school')({ component: VisitorsPage });
