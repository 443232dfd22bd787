import { Ban, CalendarClock, CircleCheck, CircleDashed, Clock, Eye, Radio } from 'lucide-react';
import type { SchoolEvent } from '../api/types.ts';
import { word } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

type Status = SchoolEvent['status'];

const STATUS: Record<Status, { icon: typeof Ban; look: string }> = {
  draft: { icon: CircleDashed, look: 'bg-hover text-soft border border-dashed border-edge' },
  scheduled: { icon: CalendarClock, look: 'bg-accent-soft text-accent-text' },
  published: { icon: Eye, look: 'bg-good-soft text-good' },
  in_progress: { icon: Radio, look: 'bg-good-soft text-good' },
  completed: { icon: CircleCheck, look: 'bg-hover text-soft' },
  cancelled: { icon: Ban, look: 'bg-bad-soft text-bad' },
  postponed: { icon: Clock, look: 'bg-warn-soft text-warn' },
};

const SHAPE = 'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap';

/** The status of an event. */
export function StatusBadge({ status }: { status: Status }) {
  const { icon: Picture, look } = STATUS[status];
  return (
    <span className={`${SHAPE} ${look}`}>
      <Picture size={13} aria-hidden />
      {word('status', status)}
    </span>
  );
}

/** The style sheet's name of a colour; `none` is neutral. */
export const toneOf = (color: string | null | undefined): string => (color ?? 'none').toLowerCase();

/** The type of an event. */
export function TypeBadge({ type, icon, color }: { type: string; icon: string; color: string | null | undefined }) {
  return (
    <span data-color={toneOf(color)} className={`${SHAPE} bg-(--tone-soft) text-(--tone-text)`}>
      <Icon name={icon} size={13} />
      {word('type', type)}
    </span>
  );
}
