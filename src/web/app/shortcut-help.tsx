import { useSelector } from '@tanstack/react-store';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type TextId, t } from '../texts/texts.ts';
import { shortcutsAreOn, switchShortcuts } from './shortcuts.ts';

const HELP: readonly [keys: string, text: TextId][] = [
  ['t', 'calendar.today'],
  ['j', 'calendar.next'],
  ['k', 'calendar.previous'],
  ['m', 'view.month'],
  ['w', 'view.week'],
  ['d', 'view.day'],
  ['a', 'view.agenda'],
  ['c', 'nav.new'],
  ['/', 'palette.search'],
  ['?', 'keys.help'],
  ['Ctrl K', 'palette.search'],
  ['← ↑ → ↓', 'keys.arrows'],
  ['Home End', 'keys.week'],
  ['PgUp PgDn', 'keys.page'],
  ['Enter', 'keys.enter'],
  ['Ctrl Enter', 'keys.publish'],
];

/** The list of shortcuts, where the single keys can be switched off. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const isOn = useSelector(shortcutsAreOn);
  return (
    <Dialog
      title={t('keys.title')}
      onClose={onClose}
      actions={<Button onClick={() => switchShortcuts(!isOn)}>{isOn ? t('keys.off') : t('keys.on')}</Button>}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {HELP.map(([key, text]) => (
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
