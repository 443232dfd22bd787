import { createAtom, useSelector } from '@tanstack/react-store';
import { Search } from 'lucide-react';
import { useKeyDown } from '../app/use-key-down.ts';
import { lazily } from '../parts/lazily.tsx';
import { t } from '../texts/texts.ts';

const Palette = lazily(() => import('./palette.tsx'));

/** The text typed while the script of the search loads; null while the search is closed. */
const typedStore = createAtom<string | null>(null);

export const openPalette = (): void => typedStore.set('');
export const isPaletteOpen = (): boolean => typedStore.get() !== null;

const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** Opens the search over every page. A tablet has room for its icon only, beside the navigation. */
export const PaletteButton = () => (
  <button
    type="button"
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={openPalette}
    className="flex size-11 shrink-0 items-center justify-center gap-2 rounded-lg hover:bg-hover sm:h-9 sm:w-auto sm:border sm:border-edge sm:px-2.5 sm:text-sm sm:text-soft"
  >
    <Search size={18} className="sm:size-4" />
    <span className="max-sm:sr-only md:max-lg:sr-only">{t('palette.search')}</span>
    <kbd aria-hidden className="whitespace-nowrap font-sans text-xs max-lg:hidden">
      {isMac ? '⌘K' : 'Ctrl K'}
    </kbd>
  </button>
);

/** The search, which Ctrl+K opens too, unless a dialog is open. */
export function PaletteHost() {
  const typed = useSelector(typedStore);
  useKeyDown((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
    const hasDialog = document.querySelector('dialog[open]') !== null;
    const before = typedStore.get();
    // The “/” that opened the search just now is not a part of it.
    if (before !== null && !hasDialog && !defaultPrevented && key.length === 1 && !ctrlKey && !metaKey) {
      // Not also into a field that still has the focus.
      event.preventDefault();
      typedStore.set(before + key);
    }
    if (key !== 'k' || !(isMac ? metaKey : ctrlKey) || altKey || shiftKey) return;
    event.preventDefault();
    if (!hasDialog) openPalette();
  });
  return typed !== null && <Palette typed={typed} onClose={() => typedStore.set(null)} />;
}
