import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { buttonClass } from '../parts/button.tsx';
import { Empty, Skeleton } from '../parts/empty.tsx';
import { t, useLanguage } from '../texts/texts.ts';
import { SessionFrame } from './frame.tsx';
import { completeSignIn, NoAccess } from './provider.ts';

// One exchange per sign-in: a code works only once, and React's strict mode mounts twice.
let exchange: Promise<string | null> | null = null;

/** The OIDC redirect page: completes the sign-in and goes to the requested page. */
function CallbackPage() {
  const navigate = useNavigate();
  const [end, setEnd] = useState<'done' | 'failed' | 'refused' | null>(null);
  useEffect(() => {
    exchange ??= completeSignIn();
    exchange.then(
      (next) => {
        exchange = null;
        if (next !== null) return void navigate({ to: next, replace: true });
        setEnd('done');
        window.close();
      },
      (error: unknown) => {
        exchange = null;
        setEnd(error instanceof NoAccess ? 'refused' : 'failed');
      },
    );
  }, [navigate]);
  useLanguage();
  if (end === null || end === 'done')
    return (
      <main className="mx-auto max-w-md px-4 py-16">
        {end === 'done' ? <Empty title={t('signIn.done')} /> : <Skeleton label={t('signIn.wait')} />}
      </main>
    );
  return (
    <SessionFrame text={t(`signIn.${end}`)}>
      <Link to="/sign-in" className={buttonClass('main', 'min-h-11')}>
        {t('trouble.again')}
      </Link>
    </SessionFrame>
  );
}

export const Route = createLazyRoute('/sign-in/back')({ component: CallbackPage });
