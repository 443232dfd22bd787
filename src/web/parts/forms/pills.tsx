import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/texts.ts';
import { Checkboxes } from './checkbox.tsx';

type Props<T extends string> = {
  label: string;
  hint?: ReactNode;
  choices: readonly { value: T; label: string }[];
  value: readonly T[];
  onChange: (chosen: T[]) => void;
};

/** Checkboxes as pills. Chosen values that are no longer offered stay visible. */
export function Pills<T extends string>({ label, hint, choices, value: chosen, onChange }: Props<T>) {
  const gone = chosen.filter((one) => !choices.some(({ value }) => value === one));
  const all = [...choices, ...gone.map((value) => ({ value, label: value }))];
  if (all.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        <Checkboxes
          options={all}
          value={chosen}
          onChange={onChange}
          className="min-w-0 border border-line px-3 wrap-anywhere has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-text"
        />
      </div>
      {hint && <p className="text-sm text-soft">{hint}</p>}
    </fieldset>
  );
}

/** A chosen value with a button that removes it. */
export const Chosen = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <span className="inline-flex min-w-0 items-center gap-1 rounded-md bg-hover py-0.5 pr-0.5 pl-2 text-sm">
    <span className="truncate">{text}</span>
    <button
      type="button"
      aria-label={t('form.remove', { what: text })}
      onClick={onRemove}
      className="grid size-6 shrink-0 place-items-center rounded hover:bg-card"
    >
      <X size={13} />
    </button>
  </span>
);
