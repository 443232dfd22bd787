import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { FAULT_RULES } from '../../core/fault-rules.ts';
import { fromKeys } from '../../core/objects.ts';
import { described, nullable, oneOf } from '../../core/schema.ts';

export * from '../../core/schema.ts';
export * from '../../people/schema.ts';

/** The schemas that the OpenAPI document defines once and refers to by name. */
export const NAMED: TSchema[] = [];

/** An object that the OpenAPI document defines once, for `refTo`. */
export function named<P extends TProperties>(name: string, properties: P, options: object = {}): TObject<P> {
  const schema = Type.Object(properties, { ...options, $id: name });
  NAMED.push(schema);
  return schema;
}

/** One page of a list. */
export const pageOfSchema = <T extends TSchema>(row: T, more: Record<string, TSchema> = {}) =>
  described('One page of the list', {
    data: Type.Array(row),
    next_cursor: nullable(Type.String()),
    has_more: Type.Boolean(),
    ...more,
  });

/** A response without a body. */
export const nothing = (description: string) => Type.Unsafe<undefined>({ type: 'null', description });

const HEADER = { type: 'string' };

/** A reference to a named schema, with the headers of the response. */
export const refTo = <T extends TSchema>(schema: T, description?: string, headers: readonly string[] = []) =>
  Type.Unsafe<Static<T>>({
    $ref: `${(schema as { $id?: string }).$id}#`,
    ...(description ? { description } : {}),
    ...(headers.length > 0 ? { headers: fromKeys(headers, () => HEADER) } : {}),
  });

/** A broken rule of one field. */
export const FAULT = Type.Object({
  pointer: Type.String({ description: 'The field, as a JSON pointer.' }),
  message: Type.String({ description: 'What is wrong with the field.' }),
  rule: oneOf(FAULT_RULES, {
    description:
      'The broken rule, as a stable code to translate: a JSON Schema keyword such as `required`, a format such as ' +
      '`date`, or a rule between fields such as `after_start`, `max_days` or `decimals`.',
  }),
});
