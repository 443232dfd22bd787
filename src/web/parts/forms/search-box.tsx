import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react';
import { isDay } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { useDebounced } from './combobox.tsx';
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

const TYPING_MS = 250;

/**
 * The text of a field whose value is part of the URL, which changes too late for each key. Reports the trimmed text when typing
 * pauses, and follows a value that something else has set, such as a link that shows all.
 */
function useTyped(value: string, onChange: (value: string) => unknown) {
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed.trim(), TYPING_MS);
  const router = useRouter();
  // A change of the URL would call off a page that is loading.
  const isLeaving = () => router.latestLocation.pathname !== router.state.resolvedLocation?.pathname;
  const report = useEffectEvent((now: string) => now !== value && !isLeaving() && onChange(now));
  const follow = useEffectEvent((now: string) => now !== settled && setTyped(now));
  useEffect(() => void report(settled), [settled]);
  useEffect(() => void follow(value), [value]);
  return [typed, setTyped] as const;
}
