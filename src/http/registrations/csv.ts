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
export const lineOf = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** Tells spreadsheets that the text is UTF-8. */
export const BOM = '\ufeff';
