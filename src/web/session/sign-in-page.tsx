import { Navigate, useSearch } from '@tanstack/react-router';
import { useSelector } from '@tanstack/react-store';
import { LogIn } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { Failure, usePageTitle } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { SessionFrame } from './frame.tsx';
import { signIn } from './provider.ts';
import { hasSignedOut, sessionStore } from './session.ts';
import { isOver } from './stored.ts';

/** The sign-in page; its button redirects to the school's identity provider. */
export default function SignInPage() {
  usePageTitle(t('signIn.button'));
  const { next = '/events', again } = useSearch({ from: '/sign-in' });
  const session = useSelector(sessionStore);
  const hasEnded = again !== undefined || (session !== null && isOver(session));
  const start = useFormMutation({ mutationFn: () => signIn(again ? null : next) });
  if (session && !hasEnded) return <Navigate to={next} replace />;
  const why = hasEnded ? 'signIn.ended' : hasSignedOut() ? 'signIn.left' : 'signIn.text';
  // In place of storage that the browser blocks (boot.ts): it would be gone when the identity provider answers.
  const isBlocked = !(localStorage instanceof Storage);
  return (
    <SessionFrame text={t(isBlocked ? 'signIn.blocked' : why)}>
      <Button look="main" className="min-h-11" busy={start.isPending} onClick={() => start.mutate()} icon={LogIn}>
        {t('signIn.button')}
      </Button>
      <Failure error={start.error ?? (start.data === false && t('signIn.none'))} />
    </SessionFrame>
  );
}
