import { invalidField, notFound, orNotFound } from '../core/errors.ts';
import type { Scope } from './caller.ts';

/** A record that a school keeps under a name, such as a template of events. */
export type NamedRecord = Scope & { id: string; name: string; updated_at: Date };

export type NamedRecordStore<T extends NamedRecord> = {
  /** All records of a school, by name. */
  list(scope: Scope): Promise<T[]>;
  find(scope: Scope, id: string): Promise<T | null>;
  insert(record: T): Promise<void>;
  /** Changes only the given fields. @returns null if there is no such record */
  change(record: NamedRecord & Partial<T>): Promise<T | null>;
  /** @returns false if there is no such record */
  remove(scope: Scope, id: string): Promise<boolean>;
};

/** @throws Refused `validation_failed` if the school has the most already */
export function checkMost(
  known: readonly unknown[],
  { most, noun }: { most: number; noun: string },
  pointer: string,
): void {
  if (known.length >= most)
    throw invalidField(pointer, `can’t be added: a school has at most ${most} ${noun}`, 'maxItems');
}

/** The records of a school. @throws Refused `validation_failed` if another one has the name of `record` */
async function listNamed<T extends NamedRecord>(store: NamedRecordStore<T>, record: NamedRecord): Promise<T[]> {
  const known = await store.list(record);
  if (known.some(({ id, name }) => id !== record.id && name === record.name))
    throw invalidField('/name', 'must be another name: the school uses it already', 'name_taken');
  return known;
}

/** Inserts a record. @throws Refused `validation_failed` if the school has its name or the most already */
export async function addNamedRecord<T extends NamedRecord>(
  store: NamedRecordStore<T>,
  record: T,
  limit: Parameters<typeof checkMost>[1],
): Promise<T> {
  checkMost(await listNamed(store, record), limit, '/name');
  await store.insert(record);
  return record;
}

/** Changes the given fields. @throws Refused `validation_failed` if another record has the name, `not_found` */
export async function changeNamedRecord<T extends NamedRecord>(
  store: NamedRecordStore<T>,
  record: NamedRecord & Partial<T>,
): Promise<T> {
  await listNamed(store, record);
  return orNotFound(await store.change(record));
}

/** Removes a record of a school. @throws Refused `not_found` */
export async function removeRecord(
  store: { remove(scope: Scope, id: string): Promise<boolean> },
  scope: Scope,
  id: string,
): Promise<void> {
  if (!(await store.remove(scope, id))) throw notFound();
}
