import { type ReactNode, useId } from 'react';

/** The message of a faulty field. */
export const Fault = ({ id, children }: { id?: string; children: string | undefined }) =>
  children && (
    <p id={id} className="text-sm font-medium text-bad">
      {children}
    </p>
  );

type CheckboxProps = {
  value: boolean;
  fault?: string;
  className?: string;
  onChange: (checked: boolean) => void;
  children: ReactNode;
};

/** A checkbox with its label. */
export function Checkbox({ value, fault, className = 'px-2', onChange, children }: CheckboxProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label
        className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg hover:bg-hover max-sm:min-h-11 ${className}`}
      >
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={value}
          onChange={({ target }) => onChange(target.checked)}
          {...(fault ? { 'aria-invalid': true, 'aria-describedby': id } : {})}
        />
        {children}
      </label>
      <Fault id={id}>{fault}</Fault>
    </div>
  );
}

type ListProps<T> = {
  options: readonly { value: T; label: ReactNode }[];
  value: readonly T[] | undefined;
  /** classes of each */
  className?: string;
  onChange: (chosen: T[]) => void;
};

/** A checkbox for each of some options. */
export const Checkboxes = <T extends string>({ options, value: chosen = [], className, onChange }: ListProps<T>) =>
  options.map(({ value, label }) => (
    <Checkbox
      key={value}
      value={chosen.includes(value)}
      className={className}
      onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value))}
    >
      {label}
    </Checkbox>
  ));
