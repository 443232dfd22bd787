import type { PersonSlots } from '../../notifications/content/message.ts';
import { type PersonSlot, slotOf } from './placeholder.ts';
import { type Part, placeholdersIn } from './template.ts';

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
