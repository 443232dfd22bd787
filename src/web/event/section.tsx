import { type ReactNode, useId } from 'react';

/** A section of the page with a heading. */
export function Section({ title, icon, children }: { title: string; icon?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-card p-4 sm:p-5">
      <h2 id={id} className="mb-2.5 flex items-center gap-2 font-semibold">
        {icon && <span className="text-soft">{icon}</span>}
        {title}
      </h2>
      {children}
    </section>
  );
}
