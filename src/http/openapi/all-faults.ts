import type { TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type FieldFault, invalid, Refused } from '../../core/errors.ts';

/** The fields of a body that are right by themselves, and the names of the others. */
export type Sorted = { usable: Record<string, unknown>; faulty: ReadonlySet<string> };

export function sorted(schema: TSchema, body: object): Sorted {
  const { properties } = schema as TObject;
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(properties, name));
  const isRight = ([name, value]: [string, unknown]) => Value.Check(properties[name] as TSchema, value);
  const right = known.filter(isRight);
  const names = new Set(right.map(([name]) => name));
  const faulty = new Set(known.map(([name]) => name).filter((name) => !names.has(name)));
  return { usable: Object.fromEntries(right), faulty };
}

/**
 * A body that its schema refuses may break rules between its fields too: what these say of the fields that are right is
 * added, so that one answer names all faults.
 * @param rules what it refuses for another reason is said when the schema agrees
 */
export async function withFaultsOfRules(
  refused: Error,
  schema: TSchema,
  body: unknown,
  rules: (sorted: Sorted) => Promise<readonly FieldFault[]>,
): Promise<Error> {
  const known = faultsIn(refused);
  const isOfBody = (refused as { validationContext?: string }).validationContext === 'body';
  if (!known || !isOfBody || typeof body !== 'object' || body === null || Array.isArray(body)) return refused;
  try {
    const more = await rules(sorted(schema, body));
    return more.length === 0 ? refused : invalid([...known, ...more]);
  } catch (error) {
    if (error instanceof Refused) return refused;
    throw error;
  }
}

/** The faults something fails with; what it fails with otherwise, it still does. */
export const faultsOf = (work: Promise<unknown>): Promise<readonly FieldFault[]> =>
  work.then(
    () => [],
    (error) => {
      const faults = faultsIn(error);
      if (!faults) throw error;
      return faults;
    },
  );

const faultsIn = (error: unknown): readonly FieldFault[] | null =>
  error instanceof Refused && error.refusal.code === 'validation_failed' ? (error.refusal.errors ?? []) : null;
