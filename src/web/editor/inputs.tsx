import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Fault } from '../parts/forms/checkbox.tsx';
import { Field, TextField } from '../parts/forms/field.tsx';
import { Chosen } from '../parts/forms/pills.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { t } from '../texts/texts.ts';
import { useEditing } from './context.tsx';
import type { Draft, FieldName } from './draft/draft.ts';

type NameOf<T> = { [K in FieldName]: Draft[K] extends T ? K : never }[FieldName];

type InputProps = { name: NameOf<string> } & Omit<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange'>;

/** A field for a line of text, a date or a time. A number is text too: a number field says nothing of what else is typed. */
export function Input({ name, ...more }: InputProps) {
  const { field } = useEditing();
  return <TextField autoComplete="off" {...more} {...field(name)} />;
}

/** An on/off switch for a boolean field. */
export const Toggle = ({ name, hint }: { name: NameOf<boolean>; hint?: string }) => (
  <Switch hint={hint} {...useEditing().field(name)} />
);

type Choice = { value: string; label: string; hint?: string; icon?: LucideIcon; tone?: string };

/** Radio buttons as cards. */
export function Cards({ name, choices, columns }: { name: FieldName; choices: readonly Choice[]; columns: string }) {
  const { label: legend, value: chosen, fault, onChange } = useEditing().field(name);
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className={`grid gap-2 ${columns}`}>
        {choices.map(({ value, label: text, hint, icon: Picture, tone }) => (
          <label
            key={value}
            data-color={tone}
            className="relative flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-line px-3 py-2 leading-snug max-sm:gap-1.5 max-sm:px-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              value={value}
              name={name}
              checked={chosen === value}
              onChange={() => onChange(value)}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            {Picture && <Picture size={18} className={`shrink-0 ${tone ? 'text-(--tone-mark)' : ''}`} />}
            <span className="min-w-0 wrap-break-word">
              <span className="block">{text}</span>
              {hint && <span className="block text-sm text-soft">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <Fault>{fault}</Fault>
    </fieldset>
  );
}

/** A list of words as chips; Enter or a comma adds one. */
export function Words({ name }: { name: 'tags' | 'categories' }) {
  const { label, value: words, fault, onChange } = useEditing().field(name);
  const [typing, setTyping] = useState('');
  const add = () => {
    const fresh = typing
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && !words.includes(word));
    if (fresh.length > 0) onChange([...words, ...fresh]);
    setTyping('');
  };
  return (
    <Field label={label} hint={t('editor.wordsHint')} fault={fault}>
      {(props) => (
        <div className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-edge bg-card px-2 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
          {words.map((word) => (
            <Chosen key={word} text={word} onRemove={() => onChange(words.filter((one) => one !== word))} />
          ))}
          <input
            {...props}
            name={name}
            value={typing}
            onChange={(event) => (/,$/.test(event.target.value) ? add() : setTyping(event.target.value))}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                add();
              }
              if (event.key === 'Backspace' && typing === '' && words.length > 0) onChange(words.slice(0, -1));
            }}
            className="min-h-8 min-w-24 grow bg-transparent px-1 outline-none"
          />
        </div>
      )}
    </Field>
  );
}
