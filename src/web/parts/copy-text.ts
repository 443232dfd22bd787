import { t } from '../texts/texts.ts';
import { showNotice } from './notices.tsx';

/** Copies a text and says so; if the browser refuses, shows the text instead. */
export const copyText = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => showNotice(t('actions.copied')),
    () => showNotice(text),
  );
