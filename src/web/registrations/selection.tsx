import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { ListedRegistration } from '../api/types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { announce } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { isEnd, type RegistrationAction, rowsFor } from './act.ts';

type Props = {
  selected: readonly ListedRegistration[];
  /** number of all matching registrations; null: not known */
  matching: number | null;
  busy: boolean;
  onSelectAll: () => void;
  onAct: (action: RegistrationAction) => void;
  onClear: () => void;
};

const OFFERED: readonly RegistrationAction[] = ['confirm', 'check_in', 'decline', 'cancel'];

/** The actions on the selected registrations, each with the number it applies to. */
export function SelectionBar({ selected, matching, busy, onSelectAll, onAct, onClear }: Props) {
  const able = (action: RegistrationAction) => rowsFor(action, selected).length;
  const text = t('registrations.selected', { count: selected.length });
  useEffect(() => announce(text), [text]);
  // It may appear above the box that was ticked.
  useEffect(() => void document.activeElement?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <section
      data-bar
      aria-label={t('registrations.selection')}
      className="sticky bottom-2 z-20 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-raised px-3 py-2.5 shadow-float max-md:bottom-16"
    >
      <p className="font-medium">{text}</p>
      {(matching === null || selected.length < matching) && (
        <button
          type="button"
          onClick={onSelectAll}
          className="min-h-8 rounded font-medium text-accent-text underline underline-offset-3"
        >
          {matching === null ? t('registrations.selectAllFound') : t('registrations.selectAll', { count: matching })}
        </button>
      )}
      <span className="grow" />
      {OFFERED.filter((action) => able(action) > 0).map((action) => (
        <Button key={action} look={isEnd(action) ? 'danger' : 'plain'} busy={busy} onClick={() => onAct(action)}>
          {`${t(`registrationAction.${action}`)} (${able(action)})`}
        </Button>
      ))}
      <IconButton onClick={onClear} label={t('registrations.clear')} icon={X} />
    </section>
  );
}
