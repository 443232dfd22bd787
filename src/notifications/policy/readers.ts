import type { RegistrationState } from '../../registrations/registration.ts';
import type { Delivery } from '../delivery.ts';
import { ruleOf } from './trigger.ts';

export type Person = { user_id: string; name: string };

/** A person who reads a message, and the people it concerns; an empty `on_behalf_of` means the reader. */
export type Reader = Person & { on_behalf_of: Person[] };

type Row = Pick<Delivery, 'user_id' | 'name' | 'on_behalf_of' | 'also'>;

/** All distinct readers of the row's address; first the person it was drafted for. */
export function readersOf({ user_id, name, on_behalf_of, also }: Row): Reader[] {
  const own = { user_id, name, on_behalf_of };
  if (also.length === 0) return [own];
  const readers = new Map<string, Reader>();
  for (const reader of [own, ...also]) {
    const known = readers.get(reader.user_id);
    readers.set(reader.user_id, known ? withSubjects(known, subjectsOf(reader)) : reader);
  }
  return [...readers.values()];
}

/** The ids of all whose opt-outs apply to the message: its readers, and the owners of an unverified address. */
export const consentingIds = (row: Row & Pick<Delivery, 'address_owners'>): string[] => [
  ...readersOf(row).map(({ user_id }) => user_id),
  ...row.address_owners,
];

/** The people a message concerns, for one reader. */
export const subjectsOf = ({ user_id, name, on_behalf_of }: Reader): Person[] =>
  on_behalf_of.length > 0 ? on_behalf_of : [{ user_id, name }];

function withSubjects<R extends Reader>(reader: R, more: readonly Person[]): R {
  const subjects = new Map([...subjectsOf(reader), ...more].map((person) => [person.user_id, person]));
  const onlySelf = subjects.size === 1 && subjects.has(reader.user_id);
  return { ...reader, on_behalf_of: onlySelf ? [] : [...subjects.values()] };
}

/** The row with the readers, subjects and registrations of another draft of the same key added. */
export function withReadersOf(row: Delivery, draft: Delivery): Delivery {
  const registration_ids = [...new Set([...row.registration_ids, ...draft.registration_ids])];
  const same = row.user_id === draft.user_id;
  const own = same ? withSubjects(row, subjectsOf(draft)) : row;
  const [, ...also] = readersOf({ ...own, also: [...row.also, ...(same ? draft.also : readersOf(draft))] });
  return { ...own, also, registration_ids };
}

/** Whether a draft of the same key has a reader, subject or registration that the row lacks. */
export function addsReaders(row: Delivery, draft: Delivery): boolean {
  const known = sizeOf(row);
  const merged = sizeOf(withReadersOf(row, draft));
  return known.some((size, i) => size !== merged[i]);
}

function sizeOf(row: Delivery): number[] {
  const readers = readersOf(row);
  const subjects = readers.reduce((sum, reader) => sum + subjectsOf(reader).length, 0);
  return [readers.length, subjects, row.registration_ids.length];
}

/**
 * The readers with at least one subject whose registration is still valid, each with those subjects only. A message about no
 * registration keeps all its readers.
 */
export function remainingReaders(delivery: Delivery, registrations: readonly RegistrationState[]): Reader[] {
  const readers = readersOf(delivery);
  if (delivery.registration_ids.length === 0) return readers;
  const { holds } = ruleOf(delivery.trigger);
  const holders = new Set(registrations.flatMap(({ status, user_id }) => (holds.includes(status) ? [user_id] : [])));
  return readers.flatMap((reader) => {
    const subjects = subjectsOf(reader).filter(({ user_id }) => holders.has(user_id));
    if (subjects.length === 0) return [];
    return [{ ...reader, on_behalf_of: reader.on_behalf_of.length === 0 ? [] : subjects }];
  });
}
