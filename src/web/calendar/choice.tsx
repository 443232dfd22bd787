import type { ReactNode } from 'react';

/** Adds the value, or removes it if present; undefined once the list is empty. */
export const flipped = <T extends string>(list: readonly T[] | undefined, one: T): T[] | undefined => {
  const next = list?.includes(one) ? list.filter((other) => other !== one) : [...(list ?? []), one];
  return next.length > 0 ? next : undefined;
};

/** One checkbox of a filter. */
export function Choice({ isChosen, onFlip, children }: { isChosen: boolean; onFlip: () => void; children: ReactNode }) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2 hover:bg-hover">
      <input type="checkbox" className="size-4 shrink-0 accent-accent" checked={isChosen} onChange={onFlip} />
      {children}
    </label>
  );
}
