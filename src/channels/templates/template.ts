import type { PersonSlots } from '../../notifications/content/message.ts';
import { type ContentPlaceholder, type PersonSlot, type Placeholder, slotOf } from './placeholder.ts';

/** A compiled template: text, values, and conditions on whether a value is empty. */
export type Part = string | { value: Placeholder } | { when: Placeholder; then: Part[]; otherwise: Part[] };

/** A template with its Content filled in: text, and the slots of the person. */
export type Piece = string | { slot: PersonSlot };

/** Like `Piece`, but keeps the template's own text (`fixed`) apart from values, because it is the same for every Content. */
export type Filled = { fixed: string } | { value: string } | { slot: PersonSlot };

/**
 * Fills in a Content. `present` names the slots that are not empty for this kind of person: conditions on slots are decided
 * here, so that filling in a person later only inserts values between texts.
 */
export function filledIn(
  parts: readonly Part[],
  read: (name: ContentPlaceholder) => string,
  present: ReadonlySet<PersonSlot>,
): Filled[] {
  const filled: Filled[] = [];
  let endsWithStop = false;
  const add = (text: string, kind: 'fixed' | 'value') => {
    // A value may already end with a full stop: `27. 11.`, `s.r.o.`
    const rest = endsWithStop && text.startsWith('.') && text[1] !== '.' ? text.slice(1) : text;
    if (rest === '') return;
    filled.push(kind === 'fixed' ? { fixed: rest } : { value: rest });
    endsWithStop = rest.endsWith('.');
  };
  const walk = (list: readonly Part[]): void => {
    for (const part of list) {
      if (typeof part === 'string') add(part, 'fixed');
      else if ('when' in part) {
        const slot = slotOf(part.when);
        const isFilled = slot ? present.has(slot) : read(part.when as ContentPlaceholder) !== '';
        walk(isFilled ? part.then : part.otherwise);
      } else {
        const slot = slotOf(part.value);
        if (slot === null) add(read(part.value as ContentPlaceholder), 'value');
        else if (present.has(slot)) {
          filled.push({ slot });
          endsWithStop = false;
        }
      }
    }
  };
  walk(parts);
  return filled;
}

/** Fills in a Content and joins adjacent texts. */
export function render(...given: Parameters<typeof filledIn>): Piece[] {
  const pieces: Piece[] = [];
  for (const one of filledIn(...given)) {
    const last = pieces.length - 1;
    const before = pieces[last];
    if ('slot' in one) pieces.push(one);
    else {
      const text = 'fixed' in one ? one.fixed : one.value;
      if (typeof before === 'string') pieces[last] = before + text;
      else pieces.push(text);
    }
  }
  return pieces;
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
  const slots = [...new Set(templates.flatMap(slotsOf))];
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

const SLOTS = new WeakMap<readonly Part[], readonly PersonSlot[]>();

/** The slots that a template names, cached. */
function slotsOf(parts: readonly Part[]): readonly PersonSlot[] {
  const known = SLOTS.get(parts);
  if (known) return known;
  const named = new Set([...placeholdersIn(parts)].map(({ name }) => slotOf(name)));
  const slots = [...named].filter((slot) => slot !== null);
  SLOTS.set(parts, slots);
  return slots;
}
