import type { Rostered } from '../api/types.ts';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

/** Details of the status: check-in time, position on the waitlist, or the reason for a cancellation or promotion. */
export function statusDetail(row: Rostered, zone: string, nameOf: (id: string) => string | null): string | null {
  if (row.checked_in_at) return t('registrations.came', { when: momentIn(row.checked_in_at, zone) });
  if (row.waitlist_position !== null) return t('registrations.place', { place: row.waitlist_position });
  if (row.status === 'cancelled') return row.cancel_reason;
  if (!row.promoted_because) return null;
  const before = row.promoted_by ? nameOf(row.promoted_by) : null;
  return before ? t('promoted.inPlaceOf', { name: before }) : word('promoted', row.promoted_because);
}
