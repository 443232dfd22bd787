import { t } from '../texts/texts.ts';
import { showNotice } from './notices.tsx';

/** Copies a text and says so; if the browser refuses, shows the text to copy by hand, or what else to do. */
export async function copyText(text: string, refused = text): Promise<void> {
  try {
    // Missing without https.
    await navigator.clipboard.writeText(text);
    showNotice(t('notices.copied'));
  } catch {
    showNotice(refused);
  }
}
