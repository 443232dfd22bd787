import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';

/**
 * The keyboard of the ARIA combobox pattern: arrows move through the options and wrap, Enter picks the active one.
 * `first` makes the first option active again.
 */
export function useActiveOption<T>(options: readonly T[], onPick: (option: T) => void) {
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
