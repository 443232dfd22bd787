import { COLLECTION_NAMES, type CollectionName } from '../collections.ts';
import { type PersonFields, type Treatment, UNSET } from './person-fields.ts';

type IdField = Extract<Treatment, { id: string }> & { name: CollectionName; path: string };

const fieldsOf = (fields: PersonFields, name: CollectionName): [string, Treatment][] => Object.entries(fields[name]);

/** The fields of the table that contain a user id. */
export function idFields(fields: PersonFields): IdField[] {
  return COLLECTION_NAMES.flatMap((name) =>
    fieldsOf(fields, name).flatMap(([path, treatment]) =>
      typeof treatment === 'object' && 'id' in treatment ? [{ ...treatment, name, path }] : [],
    ),
  );
}

/** The path in query syntax. */
export const queried = (path: string): string => path.replaceAll('[]', '');

/** Matches documents, or list entries, with this id, tenant and school. */
export function ownedBy(path: string, own: Record<string, string>): Record<string, unknown> {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  if (parent.endsWith('[]')) return { [queried(parent)]: { $elemMatch: own } };
  const at = parent === '' ? '' : `${parent}.`;
  return Object.fromEntries(Object.entries(own).map(([field, value]) => [`${at}${field}`, value]));
}

/** The fields that change with the id at `path`, and their new values. */
export function clearedWith(fields: PersonFields, { name, path }: IdField): Map<string, '' | null | typeof UNSET> {
  const cleared = new Map<string, '' | null | typeof UNSET>();
  for (const [field, treatment] of fieldsOf(fields, name))
    if (typeof treatment === 'object' && 'of' in treatment && treatment.of === path)
      cleared.set((treatment.whole ?? field).replace(/\[\]$/, ''), treatment.to);
  return cleared;
}

/** The write that removes a person from one field of the matching documents, and clears the fields that depend on it. */
export function updateOf(
  fields: PersonFields,
  field: IdField,
  filter: object,
  { user_id, alias }: { user_id: string; alias: string },
): object {
  const { id, name, path, term } = field;
  // `also[].user_id` becomes `also.$[e0].user_id`, where `e0.user_id` is the person's.
  const parts = path.split('[].');
  const inEntry = (one: string) =>
    one
      .split('[].')
      .map((part, n) => (n < parts.length - 1 ? `${part}.$[e${n}]` : part))
      .join('.');
  const arrayFilters = parts.slice(1).map((_, n) => ({ [`e${n}.${parts.slice(n + 1).join('.')}`]: user_id }));
  const cleared = [...clearedWith(fields, field)].map(([one, to]) => [inEntry(one), to] as const);
  const update = {
    $set: {
      ...(id === 'pull' ? {} : { [inEntry(path)]: alias }),
      ...Object.fromEntries(cleared.filter(([, to]) => to !== UNSET)),
    },
    $unset: Object.fromEntries(cleared.filter(([, to]) => to === UNSET).map(([one]) => [one, ''])),
    $pull: { ...(id === 'pull' ? { [queried(path)]: user_id } : {}), ...(term ? { terms: term(user_id) } : {}) },
    // Makes a concurrent change of the event start again.
    $inc: name === 'events' ? { version: 1 } : {},
  };
  return { updateMany: { filter: { ...filter, [queried(path)]: user_id }, update, arrayFilters } };
}
