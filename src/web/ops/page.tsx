import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function OpsPage() {
  return (
    <Page title={t('nav.ops')}>
      <h1 className="text-2xl font-semibold">{t('nav.ops')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/ops')({ component: OpsPage });
