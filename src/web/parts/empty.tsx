import type { ReactNode } from 'react';

/** An empty state: why there is nothing, and what to do. */
export function Empty({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center text-soft">
      {icon}
      <p className="text-base font-medium text-ink">{title}</p>
      {children}
    </div>
  );
}

/** Placeholder lines while data loads. */
export function Skeleton({ lines = 4, label }: { lines?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-3 py-4">
      {Array.from({ length: lines }, (_, at) => (
        <div key={String(at)} className="h-5 animate-pulse rounded-md bg-hover" />
      ))}
    </div>
  );
}
