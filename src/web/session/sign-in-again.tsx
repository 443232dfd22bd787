import { ButtonAnchor } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { t } from '../texts/texts.ts';
import { isExpired } from './session.ts';

/** Asks to sign in again, in another tab: this one keeps what was typed, and goes on once the browser has a new token. */
export default function SignInAgain() {
  const link = (
    <ButtonAnchor href="/sign-in?again=true" target="_blank" rel="noopener opener" look="main">
      {t('signIn.button')}
    </ButtonAnchor>
  );
  return (
    // Closed, it returns with the next request.
    <Dialog title={t('signIn.again')} onClose={() => isExpired.set(false)} actions={link}>
      <p>{t('signIn.againText')}</p>
    </Dialog>
  );
}
