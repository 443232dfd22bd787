import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';

/**
 * The keyboard of the ARIA combobox pattern: arrows move through the options and wrap, Enter picks the active one.
 * `first` makes the first option active again.
 */
export function useOptions<T>(options: readonly T[], onPick: (option: T) => void) {
  const [at, setAt] = useState(0);
  const index = Math.min(at, options.length - 1);
  const active = options[index];
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const picks = key === 'Enter' && !ctrlKey && !metaKey;
    if (step === 0 && !picks) return;
    // Enter never submits the form around.
    event.preventDefault();
    if (picks && active) onPick(active);
    if (step !== 0 && active) setAt((index + step + options.length) % options.length);
  };
  return { active, first: () => setAt(0), onKeyDown };
}

export const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

type OptionProps = { id: string; isActive: boolean; onPick: () => void; className: string; children: ReactNode };

/** An option of a combobox. It scrolls into view once it is active. */
export const ComboboxOption = ({ id, isActive, onPick, className, children }: OptionProps) => (
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    tabIndex={-1}
    ref={isActive ? intoView : undefined}
    onClick={onPick}
    onKeyDown={undefined}
    className={`flex cursor-pointer items-center gap-x-2.5 rounded-lg px-2.5 hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent-text ${className}`}
  >
    {children}
  </div>
);

/** A value that changes only once it has been the same for `ms`. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

const TYPING_MS = 250;

/**
 * The text of a field whose value is part of the URL, which changes too late for each key. Reports the trimmed text when typing
 * pauses, and follows a value that something else has set, such as a link that shows all.
 */
export function useTyped(value: string, onChange: (value: string) => unknown) {
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
