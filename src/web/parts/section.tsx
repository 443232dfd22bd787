import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';

type Props = { id?: string; title: string; icon?: LucideIcon; text?: ReactNode; children: ReactNode };

/** A part of a page with a heading. */
export function Section({ id, title, icon: Picture, text, children }: Props) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className="scroll-mt-20 rounded-card border border-line bg-card p-4 sm:p-5 print:break-inside-avoid"
    >
      <h2 id={heading} className="flex items-center gap-2 text-base font-semibold">
        {Picture && <Picture size={17} className="shrink-0 text-soft" />}
        {title}
      </h2>
      {text && <p className="mt-0.5 max-w-[70ch] text-soft">{text}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}
