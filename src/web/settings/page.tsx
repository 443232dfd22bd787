import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

function SettingsPage() {
  return (
    <Page title={t('nav.settings')}>
      <h1 className="text-2xl font-semibold">{t('nav.settings')}</h1>
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/settings')({ component: SettingsPage });
