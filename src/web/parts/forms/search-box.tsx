import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react';
import { isDay } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { useDebounced } from './combobox.tsx';
import { TextField } from './field.tsx';

type Props = { value: string; onChange: (value: string) => void };

/** A field for the name of people to search for. */
export const SearchBox = (props: Props) => (
  <div className="relative min-w-[min(11rem,100%)] grow lg:w-56">
    <Search size={16} className="pointer-events-none absolute inset-y-0 left-3 my-auto text-soft" />
    <TypedField
      type="search"
      hidesLabel
      label={t('people.find')}
      placeholder={t('people.find')}
      className="pl-9"
      {...props}
    />
  </div>
);

const TYPING_MS = 250;

/**
 * A field whose value is part of the URL, which changes too late for each key. Reports the trimmed text, a day or a time when
 * typing pauses, and follows a value that something else has set, such as a link that shows all.
 */
export function TypedField({ value, onChange, ...rest }: Omit<ComponentProps<typeof TextField>, keyof Props> & Props) {
  const { type, required = false } = rest;
  const isDone = (text: string) => (text === '' ? !required : type !== 'date' || isDay(text));
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed.trim(), TYPING_MS);
  const router = useRouter();
  // A change of the URL would call off a page that is loading.
  const isLeaving = () => router.latestLocation.pathname !== router.state.resolvedLocation?.pathname;
  const report = useEffectEvent((now: string) => now !== value && isDone(now) && !isLeaving() && onChange(now));
  const follow = useEffectEvent((now: string) => now !== settled && setTyped(now));
  useEffect(() => void report(settled), [settled]);
  useEffect(() => void follow(value), [value]);
  return <TextField {...rest} value={typed} onChange={setTyped} onBlur={() => required && !typed && setTyped(value)} />;
}
