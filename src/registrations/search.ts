import type { Contact } from '../people/contact.ts';
import type { Registration } from './registration.ts';

/** Without case and diacritics: `novak` finds Novák. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Whether name, addresses, id and notes of a registration contain every word of `q`. */
export function matches(
  { user_id, notes, contact }: Pick<Registration, 'user_id' | 'notes' | 'contact'>,
  person: Pick<Contact, 'name' | 'email'> | undefined,
  q: string,
): boolean {
  const known = [user_id, notes, contact?.email, contact?.phone, person?.name, person?.email];
  const text = folded(known.filter((one) => one).join(' '));
  return folded(q)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
