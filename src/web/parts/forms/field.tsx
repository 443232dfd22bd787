import { type ComponentProps, type ReactNode, useId } from 'react';
import { zoneText } from '../../texts/dates.ts';
import { Fault } from './checkbox.tsx';

type Common = {
  label: string;
  /** shows the label to screen readers only */
  hidesLabel?: boolean;
  hint?: ReactNode;
  fault?: string;
};
type Props = Common & {
  /** renders the input, which must take `props` */
  children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
};

const inputClass =
  'min-h-10 w-full rounded-lg max-sm:min-h-11 border border-edge bg-card px-3 py-1.5 text-ink placeholder:text-soft aria-invalid:border-bad';

/** An input with label, hint and error. */
export function Field({ label, hidesLabel = false, hint, fault, children }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className={hidesLabel ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      <Fault id={`${id}-fault`}>{fault}</Fault>
    </div>
  );
}

type Value<Tag extends 'input' | 'textarea'> = Common &
  Omit<ComponentProps<Tag>, 'onChange' | 'value'> & { value: string; onChange?: (value: string) => void };

/** Control characters, such as the tabs of cells pasted from a table, and marks of the text direction: the API refuses them in a line. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A field for a line of text, a date or a time. One to copy from selects its text. */
export const TextField = ({ label, hidesLabel, hint, fault, className = '', onChange, ...rest }: Value<'input'>) => (
  <Field label={label} hidesLabel={hidesLabel} hint={hint} fault={fault}>
    {(props) => (
      <input
        {...props}
        placeholder={rest.type === 'url' ? 'https://' : undefined}
        onFocus={rest.readOnly ? ({ target }) => target.select() : undefined}
        {...rest}
        onChange={({ target }) => onChange?.(target.value.replace(UNSEEN, ' '))}
        className={`${inputClass} ${className}`}
      />
    )}
  </Field>
);

/** A field for several lines of text. */
export const TextArea = ({ label, hint, fault, onChange, ...rest }: Value<'textarea'>) => (
  <Field label={label} hint={hint} fault={fault}>
    {(props) => (
      <textarea {...props} {...rest} onChange={({ target }) => onChange?.(target.value)} className={inputClass} />
    )}
  </Field>
);

type Option<T> = { value: T; label: string; disabled?: boolean };

type SelectProps<T> = Common & {
  name?: string;
  value: T | undefined;
  options: readonly Option<T>[];
  /** label of a first option with the value '' */
  none?: string;
  onChange: (value: T) => void;
};

/** A field for one of many options. */
export function Select<T extends string | number>(given: SelectProps<T>) {
  const { name, value = '', options, none, onChange, ...field } = given;
  const all = none === undefined ? options : [{ value: '' as T, label: none }, ...options];
  return (
    <Field {...field}>
      {(props) => (
        <select
          {...props}
          name={name}
          value={value}
          onChange={({ target }) => onChange((all[target.selectedIndex] as Option<T>).value)}
          className={inputClass}
        >
          {all.map((one) => (
            <option key={one.value} value={one.value} disabled={one.disabled}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A field for one of the time zones that the browser knows. */
export function ZoneSelect(props: Omit<SelectProps<string>, 'options'>) {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), props.value ?? 'UTC']);
  return <Select {...props} options={[...zones].sort().map((value) => ({ value, label: zoneText(value) }))} />;
}
