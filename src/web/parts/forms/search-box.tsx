import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { isDay } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { useTyped } from './combobox.tsx';
import { inputClass, TextField } from './field.tsx';

type Props = { value: string; onChange: (value: string) => void };

/** A field for the name of people to search for; reports it when typing pauses. */
export function SearchBox({ value, onChange }: Props) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <div className="relative min-w-[min(11rem,100%)] grow lg:w-56">
      <Search size={16} className="pointer-events-none absolute inset-y-0 left-3 my-auto text-soft" />
      <input
        type="search"
        aria-label={t('people.find')}
        placeholder={t('people.find')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className={`${inputClass} pl-9`}
      />
    </div>
  );
}

type TypedProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & Props;

/** A field whose value is used immediately: reports a text, a day or a time when typing pauses. */
export function TypedField({ value, onChange, ...rest }: TypedProps) {
  const { type, required = false } = rest;
  const isDone = (text: string) => (text === '' ? !required : type !== 'date' || isDay(text));
  const [typed, setTyped] = useTyped(value, (text) => isDone(text) && onChange(text));
  return <TextField {...rest} value={typed} onChange={setTyped} onBlur={() => required && !typed && setTyped(value)} />;
}
