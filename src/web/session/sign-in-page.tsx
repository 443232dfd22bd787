import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../parts/button.tsx';
import { Failure, usePageTitle } from '../parts/page.tsx';
import { useStore } from '../parts/store.ts';
import { LANGUAGE_TAGS, LANGUAGES } from '../texts/languages.ts';
import { chooseLanguage, language, t, useLanguage } from '../texts/texts.ts';
import { signIn } from './provider.ts';
import { sessionStore } from './session.ts';
import { isOver } from './stored.ts';

/** The sign-in page; its button redirects to the school's identity provider. */
function SignInPage() {
  useLanguage();
  usePageTitle(t('signIn.title'));
  const { next = '/events', again } = Route.useSearch();
  const navigate = useNavigate();
  const session = useStore(sessionStore);
  const hasEnded = again !== undefined || (session !== null && isOver(session));
  const start = useMutation({ mutationFn: () => signIn(again ? null : next), meta: { showsError: true } });
  useEffect(() => {
    if (session && !hasEnded) void navigate({ to: next, replace: true });
  }, [session, hasEnded, next, navigate]);

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="grid w-full max-w-md gap-5 rounded-2xl border border-line bg-card p-7 shadow-float">
        <img src="/favicon.svg" alt="" width="48" height="48" />
        <div className="grid gap-1">
          <h1 className="text-2xl font-semibold">{t('signIn.title')}</h1>
          <p className="text-soft">{t(hasEnded ? 'signIn.ended' : 'signIn.text')}</p>
        </div>
        <Button look="main" className="min-h-11" busy={start.isPending} onClick={() => start.mutate()}>
          <LogIn size={18} aria-hidden />
          {t('signIn.button')}
        </Button>
        <Failure error={start.error ?? (start.data === false && t('signIn.none'))} />
        <div className="flex gap-2 text-sm">
          {LANGUAGE_TAGS.map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              aria-pressed={one === language()}
              onClick={() => void chooseLanguage(one)}
              className="min-h-8 rounded-md px-2 text-soft hover:bg-hover aria-pressed:font-semibold aria-pressed:text-ink"
            >
              {LANGUAGES[one]}
            </button>
          ))}
        </div>
      </div>
    </main>
  );
}

export const Route = createLazyRoute('/sign-in')({ component: SignInPage });
