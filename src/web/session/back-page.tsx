import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { buttonClass } from '../parts/button.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { t } from '../texts/texts.ts';
import { comeBack } from './provider.ts';

// Once for each return: a code is good for one exchange, and React mounts twice while developing.
let exchange: Promise<string> | null = null;

/** The way back from the provider. */
function BackPage() {
  const navigate = useNavigate();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    exchange ??= comeBack();
    exchange.then(
      (next) => {
        exchange = null;
        void navigate({ to: next, replace: true });
      },
      () => {
        exchange = null;
        setFailed(true);
      },
    );
  }, [navigate]);
  return (
    <main className="mx-auto max-w-md px-4 py-16">
      {hasFailed ? (
        <Empty title={t('signIn.failed')}>
          <Link to="/sign-in" className={buttonClass('main', 'mt-3')}>
            {t('signIn.again')}
          </Link>
        </Empty>
      ) : (
        <Waiting label={t('signIn.wait')} />
      )}
    </main>
  );
}

export const Route = createLazyRoute('/sign-in/back')({ component: BackPage });
