import { type ReactNode, useId } from 'react';

type Props = { id?: string; title: string; text?: ReactNode; children: ReactNode };

/** A card with a heading. */
export function Card({ id, title, text, children }: Props) {
  const heading = useId();
  return (
    <section
      {...(id ? { id } : {})}
      aria-labelledby={heading}
      className="scroll-mt-20 rounded-card border border-line bg-card p-4 sm:p-5 print:break-inside-avoid"
    >
      <h2 id={heading} className="text-lg font-semibold">
        {title}
      </h2>
      {text && <p className="mt-0.5 max-w-[70ch] text-soft">{text}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
