import { useState } from 'react';
import { shortcutsAreOn } from '../app/shortcuts.ts';
import { useKeyDown } from '../app/use-key-down.ts';
import { lazily } from '../parts/lazily.tsx';

const ShortcutHelp = lazily(() => import('../app/shortcut-help.tsx'));

const KEYS = 'tjkmwdac/?';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('input:not([type=radio], [type=checkbox]), textarea, select') || target.isContentEditable);

/** Single-key shortcuts; off while the user types, in dialogs, and if switched off. */
export function Shortcuts({ run }: { run: (key: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  useKeyDown((event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || isTyping(target) || !KEYS.includes(key)) return;
    if (document.querySelector('dialog[open], [popover=auto]:popover-open')) return;
    // The help always opens: it is where the user switches shortcuts on again.
    if (key === '?') return setOpen(true);
    if (!shortcutsAreOn()) return;
    event.preventDefault();
    run(key);
  });
  return isOpen && <ShortcutHelp onClose={() => setOpen(false)} />;
}
