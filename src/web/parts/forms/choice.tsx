import type { LucideIcon } from 'lucide-react';

type Props<T extends string> = {
  label: string;
  /** shows the label to screen readers only */
  hidesLabel?: boolean;
  /** null: none is chosen */
  value: T | null;
  options: readonly { value: T; label: string; icon?: LucideIcon }[];
  onChange: (value: T) => void;
};

/** A segmented control: one of a few options. */
export const Choice = <T extends string>({ label, hidesLabel = false, value, options, onChange }: Props<T>) => (
  <fieldset className="grid min-w-0 gap-1.5">
    <legend className={hidesLabel ? 'sr-only' : 'mb-1.5 font-medium'}>{label}</legend>
    <div className="flex flex-wrap gap-1 justify-self-start rounded-xl bg-hover p-0.5">
      {options.map((one) => (
        <label
          key={one.value}
          className="relative flex min-h-8 max-sm:min-h-11 items-center gap-2 rounded-lg px-3 font-medium text-soft hover:text-ink has-checked:bg-card has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={label}
            checked={one.value === value}
            onChange={() => onChange(one.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-lg opacity-0"
          />
          {one.icon && <one.icon size={17} className="sm:max-lg:hidden" />}
          {one.label}
        </label>
      ))}
    </div>
  </fieldset>
);
