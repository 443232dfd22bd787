import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { isDay } from '../../texts/dates.ts';
import { useTyped } from './combobox.tsx';
import { inputClass, TextField } from './field.tsx';

type Props = { label: string; value: string; onChange: (value: string) => void };

/** A field for words to search for; reports them when typing pauses. */
export function SearchBox({ label, value, onChange }: Props) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <div className="relative min-w-44 grow lg:w-56">
      <Search size={16} className="pointer-events-none absolute inset-y-0 left-3 my-auto text-soft" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className={`${inputClass} pl-9`}
      />
    </div>
  );
}

type DayProps = Omit<ComponentProps<typeof TextField>, 'type' | 'value' | 'onChange'> & Props;

/** A field for a day of the URL, or none; reports it once it is typed. */
export function DayField({ value, onChange, ...rest }: DayProps) {
  const [typed, setTyped] = useTyped(value, (day) => (day === '' || isDay(day)) && onChange(day));
  return <TextField {...rest} type="date" value={typed} onChange={setTyped} />;
}
