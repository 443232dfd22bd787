import writeWorkbook from 'write-excel-file/node';
import type { Locale } from '../../people/contact.ts';
import type { Exported } from '../../registrations/export.ts';
import { columnsFor, type ExportCell, type Reader, timeText } from './export-columns.ts';

/** Spreadsheets in Czech split at semicolons, since the comma separates decimals. */
const SEPARATORS: Record<Locale, string> = { en: ',', cs: ';' };
const DATE_FORMATS: Record<Locale, string> = { en: 'dd/mm/yyyy hh:mm', cs: 'd.m.yyyy h:mm' };

/** Yields the rows as CSV with heads in the reader's language and the times of the school. Holds one batch in memory. */
export async function* registrationsAsCsv(
  batches: AsyncIterable<readonly Exported[]>,
  reader: Reader,
): AsyncGenerator<string> {
  const lineOf = (cells: readonly ExportCell[]) =>
    `${cells.map((cell) => cellOf(cell, reader.locale)).join(SEPARATORS[reader.locale])}\r\n`;
  const columns = columnsFor(reader);
  yield BOM + lineOf(columns.map((column) => column[reader.locale]));
  for await (const batch of batches)
    yield batch.map((row) => lineOf(columns.map(({ of }) => of(row, reader)))).join('');
}

/** Writes an Excel workbook with one sheet. Cells are text, numbers and dates, never formulas. */
export function registrationsAsWorkbook(rows: readonly Exported[], reader: Reader): Promise<Buffer> {
  const format = DATE_FORMATS[reader.locale];
  const typed = (value: ExportCell) =>
    value === null
      ? null
      : value instanceof Date
        ? { type: Date, value, format }
        : typeof value === 'number'
          ? { type: Number, value }
          : { type: String, value };
  const columns = columnsFor(reader);
  const heads = columns.map((column) => ({ type: String, value: column[reader.locale], fontWeight: 'bold' as const }));
  const data = [heads, ...rows.map((row) => columns.map(({ of }) => typed(of(row, reader))))];
  return writeWorkbook(data, { columns: columns.map(({ width }) => ({ width })), stickyRowsCount: 1 }).toBuffer();
}

/**
 * Matches each place where a spreadsheet may start a cell with a formula: the start of the text, and after a comma,
 * semicolon, TAB or line break, because a spreadsheet may use another separator than ours and then ignores our quotes.
 * Some spreadsheets also skip quotes, blanks and apostrophes before the formula.
 */
const FORMULA_STARTS = /(?:^|(?<=[,;\t]))(?=["' ]*[=+\-@\t\r])|(?<=[\r\n])(?=["' ]*[=+\-@\t])/g;
const NEEDS_QUOTES = /[",;\r\n]/;

/**
 * One cell (RFC 4180) that no spreadsheet runs as a formula: each part that begins with = + - @, TAB or CR gets an
 * apostrophe in front. Removing one apostrophe at each of these places restores the text.
 */
export function cellOf(value: ExportCell, locale: Locale = 'en'): string {
  const text = value === null ? '' : value instanceof Date ? timeText(value, locale) : String(value);
  const safe = text.replace(FORMULA_STARTS, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Tells spreadsheets that the text is UTF-8. */
const BOM = '\ufeff';
