import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/texts.ts';

type Props<T extends string> = {
  label: string;
  hint?: ReactNode;
  choices: readonly { value: T; label: string }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
};

/** Checkboxes as pills. Chosen values that are no longer offered stay visible. */
export function Pills<T extends string>({ label, hint, choices, chosen, onChange }: Props<T>) {
  const gone = chosen.filter((one) => !choices.some(({ value }) => value === one));
  const all = [...choices, ...gone.map((value) => ({ value, label: value }))];
  if (all.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {all.map(({ value, label: text }) => (
          <label
            key={value}
            className="flex min-h-9 cursor-pointer items-center gap-2 rounded-lg border border-line px-3 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-text"
          >
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
              className="size-4 accent-(--color-accent)"
            />
            {text}
          </label>
        ))}
      </div>
      {hint && <p className="text-sm text-soft">{hint}</p>}
    </fieldset>
  );
}

/** A chosen value with a button that removes it. */
export const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
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
