import { type FieldFault, fault } from '../../core/errors.ts';
import { pick } from '../../core/objects.ts';
import { hasControls } from '../../core/plain-text.ts';
import { isDateInRange } from '../../core/zoned-time.ts';
import { type EventFields, FIELD_NAMES, RULE_FIELDS } from '../event-fields.ts';
import { instantsOf, minutesOf } from './schedule.ts';
import { previewSeries } from './series.ts';
import { slotFaults } from './slots.ts';

/**
 * Checks the rules between the fields of an event; its schema checks types, enums, lengths and lines. Returns all faults.
 * @param before the event as it was before an edit; none if it is new
 */
export function faultsOf(event: EventFields, before: EventFields | null = null): FieldFault[] {
  return [
    ...sizeFaults(event, before),
    ...textFaults(event),
    ...partFaults(event),
    ...scheduleFaults(event),
    ...registrationFaults(event),
    ...questionFaults(event),
    ...slotFaults(event),
    // A rule that stays counts from the first date of the series, which an occurrence does not know.
    ...(before && RULE_FIELDS.every((name) => event[name] === before[name]) ? [] : recurrenceFaults(event)),
  ];
}

const translationsOf = ({ translations }: EventFields) =>
  Object.entries(translations ?? {}).map(([locale, words]) => [`/translations/${locale}`, words] as const);

const textFaults = (event: EventFields): FieldFault[] =>
  [['', event] as const, ...translationsOf(event)].flatMap(([at, { description }]) =>
    description && hasControls(description)
      ? [fault(`${at}/description`, 'must not contain control characters', 'text')]
      : [],
  );

/** A reminder to confirm belongs to an event that asks for confirmation. */
export const ASKS_NOTHING = fault(
  '/asks_acknowledgement',
  'must be true when acknowledgement_reminder is set',
  'required',
);

// A merge patch can remove required members.
function partFaults(event: EventFields): FieldFault[] {
  const { organizer, location, restricted_to, acknowledgement_reminder: reminder } = event;
  const faults: FieldFault[] = [];
  const need = (pointer: string, value: unknown) => {
    if (value === undefined) faults.push(fault(pointer, 'is required', 'required'));
  };
  if (organizer) need('/organizer/type', organizer.type);
  if (reminder) {
    if (!event.asks_acknowledgement) faults.push(ASKS_NOTHING);
    need('/acknowledgement_reminder/after_hours', reminder.after_hours);
    need('/acknowledgement_reminder/channels', reminder.channels);
  }
  for (const [at, { title }] of translationsOf(event)) need(`${at}/title`, title);
  if (location?.coordinates) {
    need('/location/coordinates/latitude', location.coordinates.latitude);
    need('/location/coordinates/longitude', location.coordinates.longitude);
  }
  if (restricted_to?.roles?.includes('external')) {
    const message = 'must not contain external: external visitors see only public events';
    faults.push(fault('/restricted_to/roles', message, 'no_externals'));
  }
  return faults;
}

/** A rule between fields: whether the event breaks it, and the fault. */
type Rule = readonly [isBroken: boolean, ...Parameters<typeof fault>];

const broken = (...rules: Rule[]): FieldFault[] => rules.flatMap(([isBroken, ...of]) => (isBroken ? fault(...of) : []));

const DATE_RULE = 'must be an existing date from 1970 to 2100, written YYYY-MM-DD';

/** The maximum duration of an event, in days of the wall clock. */
const DAYS_MAX = 366;

/** Checks that dates are in the range, also those that were moved with others, that the end is after the start, and the maximum duration. */
export function scheduleFaults(event: EventFields): FieldFault[] {
  const faults = broken(
    [!isDateInRange(event.start_date), '/start_date', DATE_RULE, 'date'],
    [!isDateInRange(event.end_date), '/end_date', DATE_RULE, 'date'],
  );
  if (faults.length > 0) return faults;
  if (event.end_date < event.start_date)
    return [fault('/end_date', 'must not be before start_date', 'not_before_start')];
  if (minutesOf(event) > DAYS_MAX * 1440)
    return [fault('/end_date', `must not make the event longer than ${DAYS_MAX} days`, 'max_days')];
  const { starts_at, ends_at } = instantsOf(event);
  return broken([ends_at <= starts_at, '/end_time', 'must be after the start', 'after_start']);
}

/** Checks the fields that `required` and `ticketed` registration need. */
export function registrationFaults(event: EventFields): FieldFault[] {
  const { registration_type: type, max_attendees, registration_deadline, cost, currency, is_free } = event;
  const isTicketed = type === 'ticketed';
  const needsPlaces = type === 'required' || isTicketed;
  const needed = `is required when registration_type is ${type}`;
  const decimals = currency === null ? null : decimalsOf(currency);
  const isTooFine = cost !== null && decimals !== null && Number(cost.toFixed(decimals)) !== cost;
  return broken(
    [needsPlaces && max_attendees === null, '/max_attendees', needed, 'required'],
    [needsPlaces && registration_deadline === null, '/registration_deadline', needed, 'required'],
    [isTicketed && (cost ?? 0) <= 0, '/cost', 'must be above 0 when registration_type is ticketed', 'required'],
    [isTicketed && currency === null, '/currency', needed, 'required'],
    [isTooFine, '/cost', `must have at most ${decimals} decimals in ${currency}`, 'decimals'],
    [is_free && (cost ?? 0) > 0, '/is_free', 'must be false when a cost is set', 'not_free'],
  );
}

/** Checks that questions have ids of their own, and that a choice, and only a choice, has options. */
const questionFaults = ({ registration_questions: questions }: EventFields): FieldFault[] =>
  questions.flatMap(({ id, type, options }, at) => {
    const pointer = `/registration_questions/${at}`;
    const isRepeated = questions.findIndex((one) => one.id === id) < at;
    return broken(
      [isRepeated, `${pointer}/id`, 'must differ from the ids of the other questions', 'uniqueItems'],
      [type === 'choice' && !options, `${pointer}/options`, 'is required for a choice', 'required'],
      [type !== 'choice' && !!options, `${pointer}/options`, 'is only for a choice', 'unknown'],
    );
  });

/** The decimals of a currency (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD. */
const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/**
 * The faults of fields that make no sense together: a deadline after the start, a virtual event without a link, a waitlist
 * without a capacity. Stored events may have them, so an edit is refused only for faults that it adds, and a dry run warns of
 * the others.
 */
export function senseFaults(event: EventFields, before: EventFields | null = null): FieldFault[] {
  const { registration_deadline: deadline, location, waitlist_enabled, max_attendees } = event;
  const isLate = deadline !== null && scheduleFaults(event).length === 0 && deadline > instantsOf(event).starts_at;
  const lacksLink = !!location?.isVirtual && !location.virtualLink;
  const lacksLimit = waitlist_enabled && max_attendees === null;
  const faults = broken(
    [isLate, '/registration_deadline', 'must not be after the start of the event', 'not_after_start'],
    [lacksLink, '/location/virtualLink', 'is required when the event is virtual', 'required'],
    [lacksLimit, '/max_attendees', 'is required when waitlist_enabled is true', 'required'],
  );
  const known = new Set(before ? senseFaults(before).map(({ pointer }) => pointer) : []);
  return faults.filter(({ pointer }) => !known.has(pointer));
}

/** Checks the recurrence rule of a series; `start_date` is its first date. */
export function recurrenceFaults(event: EventFields): FieldFault[] {
  const faults: FieldFault[] = [];
  const { start_date, recurrence_pattern: pattern, recurrence_end_date: end } = event;
  if (event.is_recurring !== (pattern !== 'none')) {
    const message = 'must be true if recurrence_pattern is set, and false if it is none';
    faults.push(fault('/is_recurring', message, 'same_as_pattern'));
  }
  if (end !== null && !isDateInRange(end)) {
    faults.push(fault('/recurrence_end_date', DATE_RULE, 'date'));
  } else if (end !== null && end < start_date) {
    faults.push(fault('/recurrence_end_date', 'must not be before start_date', 'not_before_start'));
  } else if (isDateInRange(start_date)) {
    faults.push(...previewSeries(event).faults);
  }
  return faults;
}

/** The most bytes an event may have: the fields that people write, as JSON in UTF-8. */
export const EVENT_BYTES = 64 * 1024;

/** The most bytes that all occurrences of a series may have together. */
export const SERIES_BYTES = 4 * 1024 * 1024;

/** The bytes of the fields that people write; fields that only the program writes are not counted. */
export const bytesOf = (event: EventFields): number => bytesAsJson(pick(event, FIELD_NAMES));

export const bytesOfAll = (events: readonly EventFields[]): number =>
  events.reduce((sum, event) => sum + bytesOf(event), 0);

/** @param before the event as it was: one that is already too large may stay as large, so that it can be made smaller */
export function sizeFaults(event: EventFields, before: EventFields | null): FieldFault[] {
  const bytes = bytesOf(event);
  if (bytes <= EVENT_BYTES || (before && bytes <= bytesOf(before))) return [];
  return largestFields(event, bytes - EVENT_BYTES).map(({ name, bytes: own }) => ({
    pointer: `/${name}`,
    message: `has ${own} of the ${bytes} bytes of the event; an event may have at most ${EVENT_BYTES} bytes (64 KB) as JSON`,
    rule: 'max_event_size',
  }));
}

/**
 * @param event the occurrence that was written
 * @param bytes of all `count` occurrences of its series, this one included
 */
export function seriesSizeFaults(event: EventFields, bytes: number, count: number): FieldFault[] {
  if (bytes <= SERIES_BYTES) return [];
  return largestFields(event, (bytes - SERIES_BYTES) / count).map(({ name, bytes: own }) => ({
    pointer: `/${name}`,
    message:
      `has ${own} bytes in this one of ${count} occurrences, which have ${bytes} bytes together; ` +
      `a series may have at most ${SERIES_BYTES} bytes (4 MB) as JSON`,
    rule: 'max_series_size',
  }));
}

/** The largest fields, as many as have the excess bytes together. */
function largestFields(event: EventFields, excess: number): { name: string; bytes: number }[] {
  const fields = FIELD_NAMES.map((name) => ({ name, bytes: bytesAsJson(event[name]) }));
  fields.sort((a, b) => b.bytes - a.bytes);
  let bytes = 0;
  return fields.filter((field) => {
    const isNeeded = bytes < excess;
    bytes += field.bytes;
    return isNeeded;
  });
}

/** 0 for a field that an event of an earlier version does not have. */
const bytesAsJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
