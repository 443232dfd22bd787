import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function StatisticsPage() {
  return (
    <Page title={t('nav.statistics')}>
      <h1 className="text-2xl font-semibold">{t('nav.statistics')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/statistics')({ component: StatisticsPage });
