import type { Registered } from '../../registrations/register.ts';
import type { Own, Rostered } from '../../registrations/roster.ts';

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

/**
 * Matches each place where a spreadsheet may start a cell with a formula: the start of the text, and after a comma,
 * semicolon, TAB or line break, because a spreadsheet may use another separator than ours and then ignores our quotes.
 * Some spreadsheets also skip quotes, blanks and apostrophes before the formula.
 */
const FORMULA_STARTS = /(?:^|(?<=[,;\t]))(?=["' ]*[=+\-@\t\r])|(?<=[\r\n])(?=["' ]*[=+\-@\t])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One cell (RFC 4180) that no spreadsheet runs as a formula: each part that begins with = + - @, TAB or CR gets an
 * apostrophe in front. Removing one apostrophe at each of these places restores the text.
 */
export function cellOf(value: unknown): string {
  const text = value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value);
  const safe = text.replace(FORMULA_STARTS, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of cells, ending in CRLF. */
const lineOf = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** Tells spreadsheets that the text is UTF-8. */
const BOM = '\ufeff';
