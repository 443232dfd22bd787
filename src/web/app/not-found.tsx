import { Link } from '@tanstack/react-router';
import { buttonClass } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { usePageTitle } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

/** The page for a missing event, and for one that the user may not see: the API answers both alike. */
export function NotFound() {
  usePageTitle(t('notFound.title'));
  return (
    <Empty title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
      <Link to="/events" className={buttonClass('main', 'mt-3')}>
        {t('notFound.back')}
      </Link>
    </Empty>
  );
}
