import { t } from '../texts/texts.ts';
import { ButtonLink } from './button-link.tsx';
import { Empty } from './empty.tsx';
import { usePageTitle } from './page.tsx';

/** The page for a missing event, and for one that the user may not see: the API answers both alike. */
export function NotFound() {
  usePageTitle(t('notFound.title'));
  return (
    <Empty title={t('notFound.title')} text={t('notFound.text')}>
      <ButtonLink to="/events" look="main" className="mt-3">
        {t('notFound.back')}
      </ButtonLink>
    </Empty>
  );
}
