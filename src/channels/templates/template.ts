import type { Content, PersonSlots } from '../../notifications/content/message.ts';
import { sampleContent, samplePerson } from '../../notifications/content/sample-content.ts';

type EventValue = `event.${keyof Content['event']}`;
type MessageValue = `message.${keyof Content['message']}`;
type SchoolValue = `school.${keyof Content['school']}`;

/** The same for all recipients of one Content. */
export type ContentPlaceholder = EventValue | SchoolValue | MessageValue;
/** Filled in per person. */
export type PersonSlot = keyof PersonSlots;
export type Placeholder = ContentPlaceholder | `person.${PersonSlot}`;

/** The person's slot that a placeholder names, or null for a value of the Content. */
export const slotOf = (name: Placeholder): PersonSlot | null =>
  name.startsWith('person.') ? (name.slice(7) as PersonSlot) : null;

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
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...Object.keys(valuesOf(SAMPLE)),
  ...Object.keys(samplePerson()).map((slot) => `person.${slot}`),
]);

export const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.has(name);

/** A compiled template: text, values, and conditions on whether a value is empty. */
export type Part = string | { value: Placeholder } | { when: Placeholder; then: Part[]; otherwise: Part[] };

/** A template with its Content filled in: text, and the slots of the person. */
export type Piece = string | { slot: PersonSlot };

/**
 * Fills in a Content. `present` names the slots that are not empty for this kind of person: conditions on slots are decided
 * here, so that filling in a person later only inserts values between texts.
 */
export function render(
  parts: readonly Part[],
  read: (name: ContentPlaceholder) => string,
  present: ReadonlySet<PersonSlot>,
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
  present: ReadonlySet<PersonSlot>,
): Generator<Piece> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else if ('when' in part) {
      const slot = slotOf(part.when);
      const isFilled = slot ? present.has(slot) : read(part.when as ContentPlaceholder) !== '';
      yield* eachPiece(isFilled ? part.then : part.otherwise, read, present);
    } else {
      const slot = slotOf(part.value);
      if (slot === null) yield read(part.value as ContentPlaceholder);
      else if (present.has(slot)) yield { slot };
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
 * Caches one prepared text for each combination of empty and filled slots that occurs: conditions such as
 * `{{#if person.on_behalf_of}}` depend on nothing else.
 */
export function byPresence<T>(
  templates: readonly (readonly Part[])[],
  prepare: (present: ReadonlySet<PersonSlot>) => T,
): (person: PersonSlots) => T {
  const named = templates.flatMap((parts) => [...placeholdersIn(parts)].map(({ name }) => slotOf(name)));
  const slots = [...new Set(named)].filter((slot) => slot !== null);
  const prepared: (T | undefined)[] = [];
  return (person) => {
    let mask = 0;
    for (let at = 0; at < slots.length; at += 1) if (person[slots[at] as PersonSlot] !== '') mask |= 1 << at;
    const known = prepared[mask];
    if (known !== undefined) return known;
    const made = prepare(new Set(slots.filter((_, at) => mask & (1 << at))));
    prepared[mask] = made;
    return made;
  };
}
