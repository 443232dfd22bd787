import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDebounced } from './combobox.tsx';
import { inputClass } from './field.tsx';

type Props = { label: string; value: string; onChange: (q: string) => void };

const DEBOUNCE_MS = 250;

/** A field for words to search for; reports them when typing pauses. */
export function SearchBox({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed.trim(), DEBOUNCE_MS);
  const report = useEffectEvent((q: string) => q !== value && onChange(q));
  /** Follows a change that came from elsewhere, such as a link that shows all. */
  const follow = useEffectEvent((q: string) => q !== settled && setTyped(q));
  useEffect(() => void report(settled), [settled]);
  useEffect(() => void follow(value), [value]);
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
