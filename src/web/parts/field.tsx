import { type ReactNode, useId } from 'react';

type Props = {
  label: string;
  hint?: ReactNode;
  fault?: string | undefined;
  /** renders the input, which must take `props` */
  children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
};

export const inputClass =
  'min-h-10 w-full rounded-lg border border-edge bg-card px-3 py-1.5 text-ink placeholder:text-soft aria-invalid:border-bad';

/** An input with label, hint and error. */
export function Field({ label, hint, fault, children }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const more = described ? { 'aria-describedby': described } : {};
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, ...more, ...(fault ? { 'aria-invalid': true as const } : {}) })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="text-sm font-medium text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
