import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { inputClass } from './field.tsx';

type Props = { label: string; value: string; onChange: (q: string) => void };

const DEBOUNCE_MS = 250;

/** A field for words to search for; reports them when typing pauses. */
export function SearchBox({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  });
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
