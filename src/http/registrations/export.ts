import writeWorkbook from 'write-excel-file/node';
import { fromKeys } from '../../core/objects.ts';
import { wallTimeOf } from '../../core/zoned-time.ts';
import type { Question } from '../../events/event.ts';
import { LOCALES, type Locale } from '../../people/contact.ts';
import type { ExportedRegistration } from '../../registrations/list.ts';
import type { RegistrationKind, RegistrationStatus } from '../../registrations/registration.ts';

/** A cell: text, a number, or a time as the clock of the school shows it (the UTC fields of the date). */
type ExportCell = string | number | Date | null;

type Words = {
  kind: Record<RegistrationKind, string>;
  status: Record<RegistrationStatus, string>;
  consented: string;
};

const WORDS: Record<Locale, Words> = {
  en: {
    kind: { attendee: 'Attendee', volunteer: 'Volunteer', speaker: 'Speaker', performer: 'Performer' },
    status: {
      pending: 'Waiting for approval',
      confirmed: 'Confirmed',
      waitlisted: 'On the waitlist',
      cancelled: 'Cancelled',
    },
    consented: 'Agreed',
  },
  cs: {
    kind: { attendee: 'Účastník', volunteer: 'Dobrovolník', speaker: 'Přednášející', performer: 'Účinkující' },
    status: {
      pending: 'Čeká na schválení',
      confirmed: 'Potvrzeno',
      waitlisted: 'Na čekací listině',
      cancelled: 'Zrušeno',
    },
    consented: 'Souhlas',
  },
};

/** The language and zone of an export, and the questions of the event, which have a column each. */
type Reader = { locale: Locale; zone: string; questions: readonly Question[] };
type Column = Record<Locale, string> & {
  /** in characters */
  width: number;
  of: (row: ExportedRegistration, reader: Reader) => ExportCell;
};

const wallClock = (instant: Date, zone: string): Date => {
  const wall = wallTimeOf(instant, zone);
  return new Date(`${wall.date}T${wall.time}:00Z`);
};

const time =
  (name: 'created_at' | 'confirmed_at' | 'checked_in_at' | 'cancelled_at'): Column['of'] =>
  ({ [name]: instant }, { zone }) =>
    instant && wallClock(instant, zone);

const COLUMNS: readonly Column[] = [
  { en: 'Name', cs: 'Jméno', width: 26, of: ({ name, user_id }) => name ?? user_id },
  {
    en: 'Class',
    cs: 'Třída',
    width: 8,
    of: ({ class_ids }, { locale }) => class_ids.map((id) => classOf(id, locale)).join(', '),
  },
  { en: 'Email', cs: 'E-mail', width: 30, of: ({ email }) => email },
  { en: 'Phone', cs: 'Telefon', width: 18, of: ({ phone }) => phone },
  { en: 'Taking part as', cs: 'Účastní se jako', width: 14, of: ({ kind }, { locale }) => WORDS[locale].kind[kind] },
  { en: 'Status', cs: 'Stav', width: 20, of: ({ status }, { locale }) => WORDS[locale].status[status] },
  { en: 'Waitlist position', cs: 'Pořadí na čekací listině', width: 10, of: (row) => row.waitlist_position },
  { en: 'Note', cs: 'Poznámka', width: 36, of: ({ notes }) => notes },
  { en: 'Registered', cs: 'Přihlášeno', width: 18, of: time('created_at') },
  { en: 'Registered by', cs: 'Kdo přihlásil', width: 26, of: ({ registrant }) => registrant },
  { en: 'Confirmed', cs: 'Potvrzeno', width: 18, of: time('confirmed_at') },
  { en: 'Checked in', cs: 'Příchod', width: 18, of: time('checked_in_at') },
  { en: 'Cancelled', cs: 'Zrušeno', width: 18, of: time('cancelled_at') },
  { en: 'Reason for cancelling', cs: 'Důvod zrušení', width: 30, of: ({ cancel_reason }) => cancel_reason },
];

const columnsFor = ({ questions }: Pick<Reader, 'questions'>): Column[] => [
  ...COLUMNS,
  ...questions.map(({ id, label }) => ({ ...fromKeys(LOCALES, () => label), width: 30, of: answerTo(id) })),
];

/** A consent is shown as the name of the person who gave it, and the time. */
const answerTo =
  (question_id: string): Column['of'] =>
  ({ answers }, { locale, zone }) => {
    const answer = answers.find((one) => one.question_id === question_id);
    if (typeof answer?.value !== 'boolean') return answer?.value ?? null;
    const at = answer.consented_at && timeText(wallClock(answer.consented_at, zone), locale);
    const parts = [WORDS[locale].consented, answer.consented_name, at];
    return parts.filter((part) => part).join(', ');
  };

/** A time as spreadsheets of this language read it. */
function timeText(at: Date, locale: Locale): string {
  const date = at.toISOString().slice(0, 10).split('-').reverse();
  return `${DATE_TEXTS[locale](date)} ${at.toISOString().slice(11, 16)}`;
}

/** The name of a class, made from its id: `class-5a` is 5A, in Czech 5. A. */
function classOf(id: string, locale: Locale): string {
  const bare = id.replace(/^class[-_: ]/i, '').replace(/[-_]+/g, ' ');
  const name = bare.length > 3 ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare.toUpperCase();
  return locale === 'cs' ? name.replace(/^(\d+) ?(\p{L})$/u, '$1. $2') : name;
}

/** Spreadsheets in Czech split at semicolons, since the comma separates decimals. */
const SEPARATORS: Record<Locale, string> = { en: ',', cs: ';' };
const DATE_FORMATS: Record<Locale, string> = { en: 'dd/mm/yyyy hh:mm', cs: 'd.m.yyyy h:mm' };
const DATE_TEXTS: Record<Locale, (date: readonly string[]) => string> = {
  en: (date) => date.join('/'),
  cs: (date) => date.map(Number).join('.'),
};

/** Yields the rows as CSV with heads in the reader's language and the times of the school. Holds one batch in memory. */
export async function* registrationsAsCsv(
  batches: AsyncIterable<readonly ExportedRegistration[]>,
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
export function registrationsAsWorkbook(rows: readonly ExportedRegistration[], reader: Reader): Promise<Buffer> {
  const columns = columnsFor(reader);
  const heads = columns.map((column) => ({ value: column[reader.locale], fontWeight: 'bold' as const }));
  const cells = rows.map((row) => columns.map(({ of }) => of(row, reader)));
  return writeWorkbook([heads, ...cells], {
    columns: columns.map(({ width }) => ({ width })),
    dateFormat: DATE_FORMATS[reader.locale],
    stickyRowsCount: 1,
  }).toBuffer();
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
