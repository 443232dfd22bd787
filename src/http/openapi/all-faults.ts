import type { TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type FieldFault, invalid, Refused } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { converterOf } from '../validator.ts';

/** The fields of a body that are valid by themselves, and the names of the faulty ones. */
export type CheckedFields = { usable: Record<string, unknown>; faulty: ReadonlySet<string> };

function checkFields(schema: TSchema, body: object): CheckedFields {
  const { properties } = schema as TObject;
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(properties, name));
  const isValid = ([name, value]: [string, unknown]) => Value.Check(properties[name] as TSchema, value);
  const valid = known.filter(isValid);
  const names = new Set(valid.map(([name]) => name));
  const faulty = new Set(known.map(([name]) => name).filter((name) => !names.has(name)));
  return { usable: converterOf(schema)(Object.fromEntries(valid)) as CheckedFields['usable'], faulty };
}

/**
 * Adds the faults of the rules between fields to the faults of the schema, so that one answer names all of them. The
 * rules see only the fields that are valid by themselves.
 * @param rules its other refusals are dropped: the client gets them once the schema accepts the body
 */
export async function addRuleFaults(
  refused: Error,
  schema: TSchema,
  body: unknown,
  rules: (fields: CheckedFields) => Promise<readonly FieldFault[]>,
): Promise<Error> {
  const known = faultsIn(refused);
  const isOfBody = (refused as { validationContext?: string }).validationContext === 'body';
  if (!known || !isOfBody || !isObject(body)) return refused;
  try {
    const more = await rules(checkFields(schema, body));
    return more.length === 0 ? refused : invalid([...known, ...more]);
  } catch (error) {
    if (error instanceof Refused) return refused;
    throw error;
  }
}

/** Resolves to the validation faults of `work`, or none. Rethrows other errors. */
export const collectFaults = (work: Promise<unknown>): Promise<readonly FieldFault[]> =>
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
