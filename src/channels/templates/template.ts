import type { Content, PersonSlots } from '../../notifications/content/message.ts';

type EventValue = `event.${keyof Content['event']}`;
type MessageValue = `message.${keyof Content['message']}`;
type SchoolValue = `school.${keyof Content['school']}`;

/** The same for all recipients of one Content. */
export type ContentPlaceholder = EventValue | SchoolValue | MessageValue;
/** Filled in per person. */
export type PersonSlot = keyof PersonSlots;
export type Placeholder = ContentPlaceholder | `person.${PersonSlot}`;

/** All placeholders; as records, so that the compiler reports a field added to Content or PersonSlots. */
const CONTENT: Record<ContentPlaceholder, true> = {
  'event.title': true,
  'event.when': true,
  'event.when_short': true,
  'event.when_yours': true,
  'event.previous_when': true,
  'event.dates': true,
  'event.place': true,
  'event.previous_place': true,
  'event.reason': true,
  'event.description': true,
  'event.price': true,
  'event.register_by': true,
  'event.attachments': true,
  'event.contact': true,
  'event.url': true,
  'event.date_known': true,
  'event.asks_acknowledgement': true,
  'event.open_for_registration': true,
  'school.name': true,
  'school.sender_name': true,
  'school.color': true,
  'school.logo_url': true,
  'message.subject': true,
  'message.body': true,
  'message.from': true,
};
const PERSON: Record<PersonSlot, true> = {
  name: true,
  on_behalf_of: true,
  unsubscribe_url: true,
  place_url: true,
  acknowledgement_url: true,
  position: true,
  meetings: true,
  registered: true,
  several: true,
};

/** Placeholders that may be used in conditions only. */
export const CONDITIONS: readonly Placeholder[] = [
  'event.date_known',
  'event.asks_acknowledgement',
  'event.open_for_registration',
  'person.registered',
  'person.several',
];

const isContentPlaceholder = (name: string): name is ContentPlaceholder => Object.hasOwn(CONTENT, name);
export const isPlaceholder = (name: string): name is Placeholder =>
  isContentPlaceholder(name) || (name.startsWith('person.') && Object.hasOwn(PERSON, name.slice(7)));

/** The person's slot that a placeholder names, or null for a value of the Content. */
export const slotOf = (name: Placeholder): PersonSlot | null =>
  name.startsWith('person.') ? (name.slice(7) as PersonSlot) : null;

/** The values of a Content by placeholder; '' for false, so that `#if` works. */
export function valuesOf(content: Content): Record<ContentPlaceholder, string> {
  const values = Object.keys(CONTENT).map((name) => {
    const [group = '', field = ''] = name.split('.');
    const value = (content as unknown as Record<string, Record<string, string | boolean>>)[group]?.[field] ?? '';
    return [name, typeof value === 'string' ? value : value ? 'yes' : ''];
  });
  return Object.fromEntries(values);
}

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

/** Joins texts. The first may already end with a full stop: `27. 11.`, `s.r.o.` */
function joined(before: string, text: string): string {
  const isDoubled = before.endsWith('.') && text.startsWith('.') && text[1] !== '.';
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
