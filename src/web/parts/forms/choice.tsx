import type { LucideIcon } from 'lucide-react';

type Props<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; label: string; icon?: LucideIcon }[];
  onChange: (value: T) => void;
};

/** A segmented control: one of a few options. */
export const Choice = <T extends string>({ label, value, options, onChange }: Props<T>) => (
  <fieldset className="grid min-w-0 gap-1.5">
    <legend className="mb-1.5 font-medium">{label}</legend>
    <div className="flex flex-wrap gap-1 justify-self-start rounded-xl bg-hover p-1">
      {options.map((one) => (
        <label
          key={one.value}
          className="relative flex min-h-9 max-sm:min-h-11 items-center gap-2 rounded-lg px-3 font-medium text-soft hover:text-ink has-checked:bg-card has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={label}
            checked={one.value === value}
            onChange={() => onChange(one.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-lg opacity-0"
          />
          {one.icon && <one.icon size={17} />}
          {one.label}
        </label>
      ))}
    </div>
  </fieldset>
);

type SegmentsProps<T extends string> = Omit<Props<T>, 'value'> & { value: T | null };

/** Buttons side by side, one of which is on, or none. */
export const Segments = <T extends string>({ label, value, options, onChange }: SegmentsProps<T>) => (
  <fieldset className="flex rounded-lg border border-line bg-card p-0.5">
    <legend className="sr-only">{label}</legend>
    {options.map((one) => (
      <button
        key={one.value}
        type="button"
        aria-pressed={one.value === value}
        onClick={() => onChange(one.value)}
        className="flex min-h-8 max-sm:min-h-11 items-center gap-1.5 rounded-md px-2.5 font-medium text-soft hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
      >
        {one.icon && <one.icon size={16} className="sm:hidden lg:block" />}
        {one.label}
      </button>
    ))}
  </fieldset>
);
