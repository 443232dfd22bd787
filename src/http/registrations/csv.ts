/**
 * The places at which a spreadsheet may begin a cell and take it for a formula: the start of the text and what follows a
 * comma, semicolon, TAB or line break, since a spreadsheet may split at another sign than ours and then ignores our
 * quotes. Quotes, blanks and apostrophes in front of the formula hide it from a reader, not from every spreadsheet.
 */
const FORMULA_STARTS = /(?:^|(?<=[,;\t]))(?=["' ]*[=+\-@\t\r])|(?<=[\r\n])(?=["' ]*[=+\-@\t])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One cell (RFC 4180). A spreadsheet never runs any part of it as a formula: an apostrophe stands in front of each part
 * that begins with = + - @, TAB or CR. Whoever takes one apostrophe away at each of these places has the text as it was.
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
