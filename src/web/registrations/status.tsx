import { Ban, CircleCheck, CircleDashed, Hourglass } from 'lucide-react';
import type { Rostered } from '../api/types.ts';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

type Status = Rostered['status'];

const LOOKS: Record<Status, { icon: typeof Ban; look: string }> = {
  pending: { icon: CircleDashed, look: 'bg-warn-soft text-warn' },
  confirmed: { icon: CircleCheck, look: 'bg-good-soft text-good' },
  waitlisted: { icon: Hourglass, look: 'bg-accent-soft text-accent-text' },
  cancelled: { icon: Ban, look: 'bg-hover text-soft' },
};

/** The status of a registration. */
export function RegistrationBadge({ status }: { status: Status }) {
  const { icon: Picture, look } = LOOKS[status];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Picture size={13} aria-hidden />
      {word('registrationStatus', status)}
    </span>
  );
}

/** Details of the status: check-in time, position on the waitlist, or the reason for a cancellation or promotion. */
export function statusDetail(row: Rostered, zone: string, nameOf: (id: string) => string | null): string | null {
  if (row.checked_in_at) return t('registrations.came', { when: momentIn(row.checked_in_at, zone) });
  if (row.waitlist_position !== null) return t('registrations.place', { place: row.waitlist_position });
  if (row.status === 'cancelled') return row.cancel_reason;
  if (!row.promoted_because) return null;
  const before = row.promoted_by ? nameOf(row.promoted_by) : null;
  return before ? t('promoted.inPlaceOf', { name: before }) : word('promoted', row.promoted_because);
}
