import { t } from '../texts/texts.ts';
import { showNotice } from './notices.tsx';

/** Copies a text and says so; if the browser refuses, shows the text to copy by hand, or what else to do. */
export const copyText = (text: string, refused = text): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => showNotice(t('notices.copied')),
    () => showNotice(refused),
  );
