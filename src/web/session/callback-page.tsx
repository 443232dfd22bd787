import { useNavigate } from '@tanstack/react-router';
import { ErrorResponse } from 'oidc-client-ts';
import { useEffect, useState } from 'react';
import type { Problem } from '../api/types.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Empty, Skeleton } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import { SessionFrame } from './frame.tsx';
import { completeSignIn, NoAccess, signOut } from './provider.ts';

// One exchange per sign-in: a code works only once, and React's strict mode mounts twice.
let exchange: Promise<string | null> | null = null;

/** The OIDC redirect page: completes the sign-in and goes to the requested page. */
export default function CallbackPage() {
  const navigate = useNavigate();
  const [end, setEnd] = useState<'done' | { error: unknown } | null>(null);
  useEffect(() => {
    exchange ??= completeSignIn().finally(() => {
      exchange = null;
    });
    exchange.then(
      (next) => {
        if (next !== null) return void navigate({ to: next, replace: true });
        setEnd('done');
        window.close();
      },
      (error: unknown) => setEnd({ error }),
    );
  }, [navigate]);
  if (end === null || end === 'done')
    return (
      <main className="mx-auto max-w-md px-4 py-16">
        {end === 'done' ? <Empty title={t('signIn.done')} /> : <Skeleton />}
      </main>
    );
  const isRefused = end.error instanceof NoAccess;
  const { reason = '', detail } = problemOf(end.error);
  return (
    <SessionFrame text={word('refused', reason, t(isRefused ? 'signIn.refused' : 'signIn.failed'))}>
      {reason && <p className="text-sm text-soft">{t('refused.forAdministrator', { detail: detail ?? reason })}</p>}
      {isRefused && (
        <Button className="min-h-11" onClick={() => void signOut()}>
          {t('refused.otherAccount')}
        </Button>
      )}
      <ButtonLink to="/sign-in" look="main" className="min-h-11">
        {t('trouble.again')}
      </ButtonLink>
    </SessionFrame>
  );
}

function problemOf(error: unknown): Partial<Problem> {
  if (error instanceof NoAccess) return error.problem;
  // Only responses to a sign-in that this browser began get here.
  if (error instanceof ErrorResponse)
    return { reason: 'provider', detail: error.error_description ?? error.error ?? '' };
  return {};
}
