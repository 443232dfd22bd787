import { useEffect, useState } from 'react';
import { shortcutsAreOn, switchShortcuts } from '../app/shortcuts.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type TextId, t } from '../texts/texts.ts';

const HELP: Record<string, TextId> = {
  t: 'calendar.today',
  j: 'calendar.next',
  k: 'calendar.previous',
  m: 'view.month',
  w: 'view.week',
  d: 'view.day',
  a: 'view.agenda',
  c: 'nav.new',
  '/': 'palette.title',
  '?': 'keys.help',
};

/** Keys that work in one place, for the help only. */
const ALSO: readonly [keys: string, text: TextId][] = [
  ['Ctrl K', 'palette.title'],
  ['← ↑ → ↓', 'keys.arrows'],
  ['Home End', 'keys.week'],
  ['PgUp PgDn', 'keys.page'],
  ['Enter', 'keys.enter'],
  ['Ctrl Enter', 'keys.publish'],
];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

/** Single-key shortcuts; off while the user types, in dialogs, and if switched off. */
export function Shortcuts({ run }: { run: (key: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(shortcutsAreOn);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target) || !(key in HELP)) return;
      if (document.querySelector('dialog[open], :popover-open')) return;
      // The help always opens: it is where the user switches shortcuts on again.
      if (key === '?') return setOpen(true);
      if (!shortcutsAreOn()) return;
      event.preventDefault();
      run(key);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [run]);
  if (!isOpen) return null;
  const flip = () => {
    switchShortcuts(!isOn);
    setOn(!isOn);
  };
  return (
    <Dialog
      title={t('keys.title')}
      onClose={() => setOpen(false)}
      actions={<Button onClick={flip}>{isOn ? t('keys.off') : t('keys.on')}</Button>}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {[...Object.entries(HELP), ...ALSO].map(([key, text]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-grid min-w-7 place-items-center rounded-md border border-line bg-paper px-1.5 font-mono text-sm">
                {key}
              </kbd>
            </dt>
            <dd className={isOn ? '' : 'text-soft'}>{t(text)}</dd>
          </div>
        ))}
      </dl>
      {!isOn && <p className="mt-3 text-soft">{t('keys.areOff')}</p>}
    </Dialog>
  );
}
