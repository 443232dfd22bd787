import { Link } from '@tanstack/react-router';
import { buttonClass } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { usePageTitle } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

/** Nothing is here, or nothing that you may see: the two are not told apart. */
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
