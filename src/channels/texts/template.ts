import { type ContentPlaceholder, type PersonSlot, type Placeholder, slotOf } from './placeholder.ts';

/** A compiled template: text, values, and what depends on whether a value is empty. */
export type Part = string | { value: Placeholder } | { when: Placeholder; then: Part[]; otherwise: Part[] };

/** What is left once a Content is filled in: text, and the slots of the person. */
export type Piece = string | { slot: PersonSlot };

/**
 * Fills in a Content. `present` names the slots that are not empty for this kind of person: conditions on slots are
 * settled here, so that filling in a person later is nothing but putting values between texts.
 */
export function render(
  parts: readonly Part[],
  read: (name: ContentPlaceholder) => string,
  present: ReadonlySet<PersonSlot>,
): Piece[] {
  const pieces: Piece[] = [];
  const add = (text: string) => {
    const last = pieces.length - 1;
    const before = pieces[last];
    // A value may end with a full stop of its own: `27. 11.`, `s.r.o.`
    if (typeof before === 'string')
      pieces[last] = before + (before.endsWith('.') ? text.replace(/^\.(?!\.)/, '') : text);
    else if (text !== '') pieces.push(text);
  };
  const walk = (list: readonly Part[]): void => {
    for (const part of list) {
      if (typeof part === 'string') add(part);
      else if ('when' in part) {
        const slot = slotOf(part.when);
        const filled = slot ? present.has(slot) : read(part.when as ContentPlaceholder) !== '';
        walk(filled ? part.then : part.otherwise);
      } else {
        const slot = slotOf(part.value);
        if (slot === null) add(read(part.value as ContentPlaceholder));
        else if (present.has(slot)) pieces.push({ slot });
      }
    }
  };
  walk(parts);
  return pieces;
}

/** Every placeholder of a template, with whether it is printed or only asked about. */
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
