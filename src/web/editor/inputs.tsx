import { type HTMLInputTypeAttribute, type ReactNode, useId, useState } from 'react';
import { Field, inputClass } from '../parts/field.tsx';
import { useEditing, useSet, useValue } from './context.tsx';
import type { Draft, FieldName } from './draft.ts';
import { Chip } from './pills.tsx';

type TextName = { [K in FieldName]: Draft[K] extends string ? K : never }[FieldName];

type Common = { label: string; hint?: ReactNode };

/** A field for a line of text, a number, a date or a time. */
export function Input({
  name,
  label,
  hint,
  type = 'text',
  placeholder,
  step,
  min,
  inputMode,
  className = '',
}: Common & {
  name: TextName;
  type?: HTMLInputTypeAttribute;
  placeholder?: string;
  step?: string;
  min?: string;
  inputMode?: 'numeric' | 'decimal' | 'url';
  className?: string;
}) {
  const { form, faultOf, touch } = useEditing();
  return (
    <Field label={label} hint={hint} fault={faultOf(name)}>
      {(props) => (
        <input
          {...props}
          {...form.register(name, { onChange: () => touch(name) })}
          type={type}
          step={step}
          min={min}
          placeholder={placeholder}
          inputMode={inputMode}
          autoComplete="off"
          className={`${inputClass} ${className}`}
        />
      )}
    </Field>
  );
}

/** An on/off switch for a boolean field. */
export function Toggle({ name, label, hint }: Common & { name: FieldName }) {
  const { form, touch } = useEditing();
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...form.register(name, { onChange: () => touch(name) })}
        className="relative mt-0.5 h-6 w-11 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-hover transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-edge before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-5 checked:before:bg-accent-ink"
      />
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

type Choice = { value: string; label: string; hint?: string; icon?: ReactNode; tone?: string };

/** Radio buttons as cards. */
export function Cards({
  name,
  label,
  choices,
  columns = 'grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]',
}: Common & { name: FieldName; choices: readonly Choice[]; columns?: string }) {
  const { form, touch, faultOf } = useEditing();
  const fault = faultOf(name);
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className={`grid gap-2 ${columns}`}>
        {choices.map(({ value, label: text, hint, icon, tone }) => (
          <label
            key={value}
            data-color={tone}
            className="relative flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-line px-3 py-2 leading-snug hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              value={value}
              {...form.register(name, { onChange: () => touch(name) })}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            {icon && <span className={tone ? 'text-(--tone-mark)' : ''}>{icon}</span>}
            <span className="min-w-0">
              <span className="block">{text}</span>
              {hint && <span className="block text-sm text-soft">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {fault && <p className="text-sm font-medium text-bad">{fault}</p>}
    </fieldset>
  );
}

/** A list of words as chips; Enter or a comma adds one. */
export function Words({ name, label, hint }: Common & { name: 'tags' | 'categories' }) {
  const { faultOf } = useEditing();
  const words = useValue(name);
  const set = useSet();
  const [typing, setTyping] = useState('');
  const add = () => {
    const fresh = typing
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && !words.includes(word));
    if (fresh.length > 0) set(name, [...words, ...fresh]);
    setTyping('');
  };
  return (
    <Field label={label} hint={hint} fault={faultOf(name)}>
      {(props) => (
        <div className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-edge bg-card px-2 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
          {words.map((word) => (
            <Chip
              key={word}
              text={word}
              onRemove={() =>
                set(
                  name,
                  words.filter((one) => one !== word),
                )
              }
            />
          ))}
          <input
            {...props}
            value={typing}
            onChange={(event) => (/,$/.test(event.target.value) ? add() : setTyping(event.target.value))}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                add();
              }
              if (event.key === 'Backspace' && typing === '' && words.length > 0) set(name, words.slice(0, -1));
            }}
            className="min-h-8 min-w-24 grow bg-transparent px-1 outline-none"
          />
        </div>
      )}
    </Field>
  );
}
