import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { invalidField } from '../core/errors.ts';
import { isOutOfTime, withTimeLimit } from '../core/time-limit.ts';
import type { Table, TableRow } from '../people/roster/roster.ts';

/** Bytes of all files of an archive, unpacked. */
const UNPACKED_MAX = 40_000_000;
const RECORD_MAX = 100_000;
/** Unpacking so much takes less than a second; an archive that names false sizes could take minutes. */
const UNPACK_MS = 5_000;
/** Cells of all files: more would fill the memory of the process. */
const CELLS_MAX = 1_000_000;
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Reads a CSV file, or the CSV files of a zip archive, as spreadsheets and schools' programs write them: separated by commas,
 * semicolons or tabs, in UTF-8, UTF-16, Windows-1250 or ISO 8859-2, with or without a byte order mark. Holds everything in memory,
 * and lets the process do other work in between.
 * @param name of a single file
 * @param unpackMs how long unpacking may take; for tests
 * @throws Refused `validation_failed` that names the file and the row
 */
export async function readTables(bytes: Uint8Array, name = '', unpackMs = UNPACK_MS): Promise<Table[]> {
  // A column may be called PK.
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0) < 0x20;
  const files = isArchive ? Object.entries(unpack(bytes, unpackMs)) : [[name, bytes] as const];
  let cells = 0;
  const tables: Table[] = [];
  for (const [path, content] of files) {
    const file = path.slice(path.lastIndexOf('/') + 1);
    // Excel writes the separator into a first line that it does not count.
    const text = decoded(content).replace(/^sep=.\r?\n/i, '');
    const delimiter = delimiterOf(text);
    cells += countCells(text, delimiter);
    if (cells > CELLS_MAX) throw unreadable(file, `must have at most ${CELLS_MAX} cells`);
    tables.push(await readTable(file, text, delimiter));
  }
  return tables;
}

/** Whether a path names a CSV file that is not hidden: macOS adds files such as `._users.csv`. */
export const isCsvFile = (path: string): boolean => /(^|\/)[^./][^/]*\.csv$/i.test(path);

function unpack(bytes: Uint8Array, timeoutMs: number): Record<string, Uint8Array> {
  const tooLarge = unreadable('', `must have at most ${UNPACKED_MAX / 1_000_000} MB unpacked`);
  let total = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    const isWanted = isCsvFile(name);
    if (isWanted) total += originalSize;
    if (total > UNPACKED_MAX) throw tooLarge;
    return isWanted;
  };
  let files: Record<string, Uint8Array>;
  try {
    files = withTimeLimit(timeoutMs, () => unzipSync(bytes, { filter }));
  } catch (error) {
    if (error === tooLarge || isOutOfTime(error)) throw tooLarge;
    throw unreadable('', 'must be a zip archive that is not damaged');
  }
  // A workbook of Excel is an archive too.
  if (Object.keys(files).length === 0) throw unreadable('', 'must contain a CSV file');
  return files;
}

/** Some milliseconds of parsing. */
const PIECE = 64 * 1024;

async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await setImmediate();
  }
}

async function readTable(file: string, text: string, delimiter: string): Promise<Table> {
  const relaxed = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true };
  let read = 0;
  const on_record = (cells: string[], { lines }: { lines: number }): TableRow => {
    read = lines;
    // A copy, because V8 reserves 17 places for an array that grows by `push`.
    return { row: lines, cells: cells.slice() };
  };
  const options = { ...relaxed, delimiter, max_record_size: RECORD_MAX, on_record };
  try {
    const parser = Readable.from(inPieces(text)).pipe(parse(options as never));
    const [heads, ...rest]: TableRow[] = await parser.toArray();
    return { file, heads: heads?.cells ?? [], rows: rest.filter(({ cells }) => cells.some((cell) => cell !== '')) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw unreadable(file, `must close the quotation mark that opens after line ${read}`);
    throw unreadable(file, `must have at most ${RECORD_MAX} bytes in a row, line ${read + 1} has more`);
  }
}

const unreadable = (file: string, message: string) => invalidField(file ? `/file/${file}` : '/file', message, 'csv');

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Only Windows has letters, such as š and ž, where ISO 8859-2 has control characters.
    const isWindows = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
    return new TextDecoder(isWindows ? 'windows-1250' : 'iso-8859-2').decode(bytes);
  }
}

/** Counts the ends of cells and rows, also those in quotes. */
function countCells(text: string, delimiter: string): number {
  let cells = 0;
  for (let at = 0; at < text.length; at++) if (text[at] === delimiter || text[at] === '\n') cells += 1;
  return cells;
}

/** The delimiter that the heads have most of, outside of quotes. */
function delimiterOf(text: string): string {
  const heads = (text.slice(0, RECORD_MAX).match(/^(?:"(?:[^"]|"")*"|[^"\r\n])*/)?.[0] ?? '').replace(
    /"(?:[^"]|"")*"/g,
    '',
  );
  const count = (one: string) => heads.split(one).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}
