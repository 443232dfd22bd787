import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** An object that refuses unknown fields. */
export const strict = <T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object, after what it is. */
export const described = <P extends TProperties>(description: string, properties: P) =>
  Type.Object(properties, { description });

/** A list of objects, after what they are. */
export const listOf = <P extends TProperties>(description: string, properties: P) =>
  Type.Array(Type.Object(properties), { description });

/** The schema or null: one schema with two types, because Fastify serializes it faster than a union. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as unknown as TSchema & { type: string | string[]; enum?: unknown[] };
  const types = [type].flat();
  if (types.includes('null')) return Type.Unsafe<Static<T> | null>(schema);
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [...types, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  });
}

export const optional = Type.Optional;

export const oneOf = <const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/** One of these values, or none. */
export const choice = <const T extends readonly string[]>(values: T, description: string) =>
  optional(oneOf(values, { description }));

/** A query parameter that may be repeated; a row matches if it has any of the values. */
export const anyOf = <T extends TSchema>(value: T, what: string) =>
  optional(
    Type.Array(value, {
      minItems: 1,
      maxItems: 20,
      description: `${what} Repeat the parameter to match any of several values.`,
    }),
  );

/** A boolean that may be missing. */
export const flag = (description: string) => optional(Type.Boolean({ description }));

export const stringOrNull = (description: string) => nullable(Type.String({ description }));

/** Text of a single line that is not empty. */
export const line = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ format: 'line', maxLength, ...options });

/** Text of one or more lines that is not empty. */
export const text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ format: 'text', maxLength, ...options });

export const date = Type.String({ format: 'date', description: 'A date, YYYY-MM-DD.' });
export const clock = Type.String({ format: 'clock', description: 'A time of day, HH:MM.' });
/** An instant: text in requests, a Date in routes. */
export const instant = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  description: 'A date and time with offset (RFC 3339).',
});
export const webAddress = Type.String({ format: 'uri', maxLength: 2048 });

/** A date and time in a response. */
export const stamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const stampOrNull = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });
