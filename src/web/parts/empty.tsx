import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../texts/texts.ts';

type Props = { icon?: LucideIcon; title: string; text?: string; children?: ReactNode };

/** An empty state: why there is nothing, and what to do. */
export const Empty = ({ icon: Picture, title, text, children }: Props) => (
  <div className="flex flex-col items-center gap-2 px-6 py-12 text-center text-soft">
    {Picture && <Picture size={30} />}
    <p className="text-base font-medium text-ink">{title}</p>
    {text && <p className="max-w-[60ch]">{text}</p>}
    {children}
  </div>
);

/** Placeholder lines while data loads. */
export const Skeleton = ({ lines = 4 }: { lines?: number | undefined }) => (
  <div role="status" aria-label={t('trouble.waiting')} className="grid gap-3 py-4">
    {Array.from({ length: lines }, (_, at) => (
      <div key={String(at)} className="h-5 animate-pulse rounded-md bg-hover" />
    ))}
  </div>
);
