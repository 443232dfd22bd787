import { X } from 'lucide-react';
import type { Rostered } from '../api/types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';
import { isEnd, type RosterAction, rowsFor } from './act.ts';

type Props = {
  selected: readonly Rostered[];
  /** number of all matching registrations */
  matching: number;
  busy: boolean;
  onSelectAll: () => void;
  onAct: (action: RosterAction) => void;
  onClear: () => void;
};

const OFFERED: readonly RosterAction[] = ['confirm', 'check_in', 'decline', 'cancel'];

/** The actions on the selected registrations, each with the number it applies to. */
export function SelectionBar({ selected, matching, busy, onSelectAll, onAct, onClear }: Props) {
  const able = (action: RosterAction) => rowsFor(action, selected).length;
  return (
    <section
      aria-label={t('registrations.selection')}
      className="sticky bottom-2 z-20 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-raised px-3 py-2.5 shadow-float max-md:bottom-16"
    >
      <p role="status" className="font-medium">
        {t('registrations.selected', { count: selected.length })}
      </p>
      {selected.length < matching && (
        <button
          type="button"
          onClick={onSelectAll}
          className="min-h-8 rounded font-medium text-accent-text underline underline-offset-3"
        >
          {t('registrations.selectAll', { count: matching })}
        </button>
      )}
      <span className="grow" />
      {OFFERED.filter((action) => able(action) > 0).map((action) => (
        <Button key={action} look={isEnd(action) ? 'danger' : 'plain'} busy={busy} onClick={() => onAct(action)}>
          {`${t(`rosterAction.${action}`)} (${able(action)})`}
        </Button>
      ))}
      <IconButton onClick={onClear} label={t('registrations.clear')} icon={X} />
    </section>
  );
}
