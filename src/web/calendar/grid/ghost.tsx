import { clockTime, shortDay } from '../../texts/dates.ts';
import type { Ghost as Shown } from './drag.ts';

/** Beside the pointer while an entry is dragged: its title, and when it would be. */
export function Ghost({ ghost }: { ghost: Shown | null }) {
  if (!ghost) return null;
  const { entry, to, x, y } = ghost;
  const times = to.start_time && to.end_time ? `${clockTime(to.start_time)}–${clockTime(to.end_time)}` : '';
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed z-40 max-w-60 rounded-lg border border-accent bg-raised px-2 py-1 text-xs shadow-float"
      style={{ left: x + 14, top: y + 14 }}
    >
      <span className="block truncate font-medium">{entry.title}</span>
      <span className="tabular-nums">{[shortDay(to.start_date), times].filter(Boolean).join(', ')}</span>
    </div>
  );
}
