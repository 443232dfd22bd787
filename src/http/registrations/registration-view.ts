import type { Registered } from '../../registrations/register.ts';
import type { Own, Rostered } from '../../registrations/roster.ts';
import { BOM, lineOf } from './csv.ts';

/** A registration in an answer. */
export const registrationView = ({ registration, waitlist_position }: Registered) => ({
  ...registration,
  waitlist_position,
});

/** A registration in an answer to its owner, with the possible actions. */
export const ownView = ({ allowed_actions, ...registered }: Own) => ({
  ...registrationView(registered),
  allowed_actions,
});

/** A registration in an answer to staff, with the name and the possible actions. */
export const rosterView = ({ name, email, phone, allowed_actions, ...registered }: Rostered) => ({
  ...registrationView(registered),
  name,
  email,
  phone,
  allowed_actions,
});

const COLUMNS = [
  'name',
  'email',
  'phone',
  'kind',
  'status',
  'waitlist_position',
  'notes',
  'registered_by',
  'created_at',
  'confirmed_at',
  'checked_in_at',
  'cancelled_at',
  'cancel_reason',
  'promoted_because',
  'promoted_by',
  'id',
  'user_id',
] as const;

/** Yields the rows as CSV. Holds one batch in memory. */
export async function* registrationsAsCsv(batches: AsyncIterable<Rostered[]>): AsyncGenerator<string> {
  yield BOM + lineOf(COLUMNS);
  for await (const batch of batches) yield batch.map((one) => lineOf(cellsOf(one))).join('');
}

function cellsOf(one: Rostered): unknown[] {
  const row: Record<string, unknown> = rosterView(one);
  return COLUMNS.map((name) => row[name]);
}
