import type { Content, PersonValues } from '../../notifications/content/message.ts';
import { sampleContent, samplePerson } from '../../notifications/content/sample-content.ts';

type EventValue = `event.${keyof Content['event']}`;
type MessageValue = `message.${keyof Content['message']}`;
type SchoolValue = `school.${keyof Content['school']}`;

/** The same for all recipients of one Content. */
export type ContentPlaceholder = EventValue | SchoolValue | MessageValue;
/** Filled in per person. */
export type PersonField = keyof PersonValues;
export type Placeholder = ContentPlaceholder | `person.${PersonField}`;

/** The person's field that a placeholder names, or null for a value of the Content. */
export const personFieldOf = (name: Placeholder): PersonField | null =>
  name.startsWith('person.') ? (name.slice(7) as PersonField) : null;

/** The values of a Content by placeholder; '' for false, so that `#if` works. */
export function valuesOf({ event, school, message }: Content): Record<ContentPlaceholder, string> {
  const values = Object.entries({ event, school, message }).flatMap(([group, fields]) =>
    Object.entries(fields).map(([field, value]) => [`${group}.${field}`, value === true ? 'yes' : value || '']),
  );
  return Object.fromEntries(values);
}

const SCHOOL = { name: '', sender_name: '', color: '', logo_url: '' };
const SAMPLE = sampleContent({ trigger: 'event.published', locale: 'en', tenant_id: '', school: SCHOOL }, 'email');

/** All placeholders: the values of a sample. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...Object.keys(valuesOf(SAMPLE)),
  ...Object.keys(samplePerson()).map((field) => `person.${field}`),
]);

export const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.has(name);

/** Whether a placeholder is true or false, so that it may be used in conditions only. */
export const isCondition = (name: Placeholder): boolean =>
  typeof SAMPLE.event[name.replace('event.', '') as keyof Content['event']] === 'boolean' ||
  ['person.registered', 'person.attends', 'person.several'].includes(name);

/** A compiled template: text, values, and conditions on whether a value is empty. */
export type Part = string | { value: Placeholder } | { when: Placeholder; then: Part[]; otherwise: Part[] };

export type TitledTemplate = { title: Part[]; body: Part[] };

/** All texts of one trigger in one language. */
export type TextsOfOne = {
  /** hash of the template files */
  version: string;
  email: { subject: Part[]; text: Part[]; html: Part[] };
  sms: { body: Part[] };
  push: TitledTemplate;
  in_app: TitledTemplate;
};

/** A template with its Content filled in: text, and the fields of the person. */
export type Piece = string | { field: PersonField };

/**
 * Fills in a Content. `present` names the fields that are not empty for this kind of person: conditions on fields are decided
 * here, so that filling in a person later only inserts values between texts.
 */
export function render(
  parts: readonly Part[],
  read: (name: ContentPlaceholder) => string,
  present: ReadonlySet<PersonField>,
): Piece[] {
  const pieces: Piece[] = [];
  for (const piece of eachPiece(parts, read, present)) {
    const before = pieces.at(-1);
    if (typeof before === 'string' && typeof piece === 'string') pieces[pieces.length - 1] = joined(before, piece);
    else if (piece !== '') pieces.push(piece);
  }
  return pieces;
}

function* eachPiece(
  parts: readonly Part[],
  read: (name: ContentPlaceholder) => string,
  present: ReadonlySet<PersonField>,
): Generator<Piece> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else if ('when' in part) {
      const field = personFieldOf(part.when);
      const isFilled = field ? present.has(field) : read(part.when as ContentPlaceholder) !== '';
      yield* eachPiece(isFilled ? part.then : part.otherwise, read, present);
    } else {
      const field = personFieldOf(part.value);
      if (field === null) yield read(part.value as ContentPlaceholder);
      else if (present.has(field)) yield { field };
    }
  }
}

/** Joins texts. The first may already end as a sentence: `27. 11.`, `Ready?` */
function joined(before: string, text: string): string {
  const isDoubled = /[.!?]$/.test(before) && text.startsWith('.') && text[1] !== '.';
  return before + (isDoubled ? text.slice(1) : text);
}

/** Every placeholder of a template, and whether it is printed or only used in a condition. */
export function* placeholdersIn(parts: readonly Part[]): Generator<{ name: Placeholder; printed: boolean }> {
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if ('value' in part) yield { name: part.value, printed: true };
    else {
      yield { name: part.when, printed: false };
      yield* placeholdersIn(part.then);
      yield* placeholdersIn(part.otherwise);
    }
  }
}

/**
 * Caches one prepared text for each combination of empty and filled fields that occurs: conditions such as
 * `{{#if person.on_behalf_of}}` depend on nothing else.
 */
export function byPresence<T>(
  templates: readonly (readonly Part[])[],
  prepare: (present: ReadonlySet<PersonField>) => T,
): (person: PersonValues) => T {
  const named = templates.flatMap((parts) => [...placeholdersIn(parts)].map(({ name }) => personFieldOf(name)));
  const fields = [...new Set(named)].filter((field) => field !== null);
  const prepared: (T | undefined)[] = [];
  return (person) => {
    let mask = 0;
    for (let at = 0; at < fields.length; at += 1) if (person[fields[at] as PersonField] !== '') mask |= 1 << at;
    const known = prepared[mask];
    if (known !== undefined) return known;
    const made = prepare(new Set(fields.filter((_, at) => mask & (1 << at))));
    prepared[mask] = made;
    return made;
  };
}
