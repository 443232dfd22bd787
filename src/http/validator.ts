import type { FastifySchemaCompiler } from 'fastify';
import type { TObject, TProperties, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { Value } from 'typebox/value';
import { type FieldFault, fault, invalid, Refused } from '../core/errors.ts';
import type { FaultRule } from '../core/fault-rules.ts';
import { isObject } from '../core/objects.ts';
import { zoneName } from '../core/zoned-time.ts';
import { FORMATS, type FormatName, PATTERNS } from './openapi/formats.ts';

// Report all faults at once, but limit them: a body may have ten thousand unknown fields.
Settings.Set({ maxErrors: 100 });

const PREFIX: Record<string, string> = { body: '', querystring: '/query', params: '/params', headers: '/headers' };

/**
 * Checks a part of the request against its schema and reports all faults. Bodies are not converted. Query and path
 * parameters are text, so a text that is exactly a number or boolean is converted, and a parameter that is given once
 * becomes a list if the schema wants a list.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const check = checkOf(schema, PREFIX[httpPart]);
  return (input) => {
    const value = httpPart === 'body' ? input : convertParameters(schema, input);
    const faults = check(value);
    if (faults.length === 0) return { value };
    return { error: invalid(httpPart === 'querystring' ? faults.map((one) => explainParameter(one, value)) : faults) };
  };
};

/** Prepares the check of values against a schema. @returns a function that lists the faults of a value */
export function checkOf(schema: TSchema, prefix = ''): (value: unknown) => FieldFault[] {
  const check = Compile(schema);
  const readOnly: readonly string[] = ('x-read-only' in schema && (schema['x-read-only'] as string[])) || [];
  return (value) => {
    if (check.Check(value)) return [];
    const errors = withoutTypesOfChoices(check.Errors(withShortLists(value)));
    return firstOfEachPointer(explainUnions(errors.flatMap((error) => faultsOf(error, prefix, readOnly))));
  };
}

/** More than any list may have. */
const MOST_ITEMS = 1_001;
/** Deeper than any schema goes. */
const DEEPEST = 10;

/** A value with its long lists cut, since TypeBox takes quadratic time to name what a list has twice. */
function withShortLists(value: unknown, depth = DEEPEST): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((one) => withShortLists(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withShortLists(one, depth - 1)]));
}

type Convert = (value: unknown) => unknown;

const unchanged: Convert = (value) => value;

/** @returns a function that returns a valid value with its date-times as dates, and its time zones spelled as IANA does */
export function converterOf(schema: TSchema): Convert {
  const { format, items, properties } = schema as { format?: string; items?: TSchema; properties?: TProperties };
  if (format === 'date-time') return (value) => (typeof value === 'string' ? new Date(value) : value);
  if (format === 'zone') return (value) => (typeof value === 'string' ? zoneName(value) : value);
  const each = items ? converterOf(items) : unchanged;
  if (each !== unchanged) return (value) => (Array.isArray(value) ? value.map(each) : value);
  const fields = Object.entries(properties ?? {}).map(([name, inner]) => [name, converterOf(inner)] as const);
  const dated = fields.filter(([, convert]) => convert !== unchanged);
  if (dated.length === 0) return unchanged;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const given = dated.filter(([name]) => Object.hasOwn(value, name));
    return { ...value, ...Object.fromEntries(given.map(([name, convert]) => [name, convert(value[name as never])])) };
  };
}

/** The faults of a union: those inside of the alternative that was meant, or else one that names the alternatives. */
function explainUnions(faults: readonly FieldFault[]): FieldFault[] {
  const unions = faults.filter(({ rule }) => rule === 'anyOf').map(({ pointer }) => pointer);
  return faults.flatMap((one) => {
    if (!unions.includes(one.pointer)) return one;
    if (one.rule !== 'anyOf' || faults.some(({ pointer }) => pointer.startsWith(`${one.pointer}/`))) return [];
    const others = faults.filter(({ pointer, rule }) => pointer === one.pointer && rule !== 'anyOf');
    const alternatives = others.map(({ message }) => message.replace('must be ', ''));
    return fault(one.pointer, `must be ${EITHER.format(alternatives)}`, 'anyOf');
  });
}

// The choices of a value say more than their type.
const withoutTypesOfChoices = (errors: readonly TLocalizedValidationError[]): TLocalizedValidationError[] =>
  errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'type' || !errors.some((one) => one.schemaPath === schemaPath && /^(enum|const)$/.test(one.keyword)),
  );

// An empty text is both too short and not a line, but one message per field is enough.
const firstOfEachPointer = (faults: readonly FieldFault[]): FieldFault[] =>
  faults.filter(({ pointer }, i) => faults.findIndex((other) => other.pointer === pointer) === i);

function convertParameters(schema: TSchema, input: Record<string, unknown>): Record<string, unknown> {
  const properties: Record<string, { type?: unknown }> = 'properties' in schema ? Object(schema.properties) : {};
  const value = { ...input };
  for (const [name, { type }] of Object.entries(properties)) {
    const text = value[name];
    if (typeof text !== 'string') continue;
    if (type === 'array') value[name] = [text];
    if (type === 'boolean' && (text === 'true' || text === 'false')) value[name] = text === 'true';
    if (type === 'integer' && /^-?\d+$/.test(text)) value[name] = Number(text);
  }
  return value;
}

/** Says how often to send a parameter: each value needs a parameter of its own, and most parameters take one value. */
function explainParameter(found: FieldFault, query: Record<string, unknown>): FieldFault {
  const [, name = '', at] = /^\/query\/(\w+)(?:\/(\d+))?$/.exec(found.pointer) ?? [];
  const values = query[name];
  if (!Array.isArray(values)) return found;
  if (at === undefined)
    return SIZES.includes(found.rule) ? found : fault(found.pointer, 'must be sent only once', 'type');
  if (!String(values[Number(at)]).includes(',')) return found;
  return fault(
    found.pointer,
    `contains a comma; for several values repeat the parameter: ${name}=…&${name}=…`,
    'comma',
  );
}

/** The rules of the parameters that may be repeated. */
const SIZES: readonly FaultRule[] = ['minItems', 'maxItems', 'uniqueItems'];

function faultsOf(error: TLocalizedValidationError, prefix: string, readOnly: readonly string[]): FieldFault[] {
  // The pointer contains names that the client chose, so its length is limited.
  const at = `${prefix}${error.instancePath}`.slice(0, 300);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => fault(`${at}/${name}`, 'is required', 'required'));
    case 'boolean':
      if (readOnly.includes(error.instancePath.slice(1)))
        return [fault(at, 'can’t be changed: the service sets this field', 'read_only')];
      return [fault(at, prefix === '/query' ? 'is not a known parameter' : 'is not a known field', 'unknown')];
    case 'additionalProperties':
      // The keyword `boolean` reports each unknown field already.
      return [];
    case 'format': {
      const format = error.params.format as FormatName;
      return [fault(at, FORMATS[format].message, format)];
    }
    default:
      return [fault(at, messageOf(error), error.keyword as FaultRule)];
  }
}

const TYPE_WORDS: Record<string, string | string[]> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: ['true', 'false'],
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The message of a broken keyword, for readers who don’t know JSON Schema. */
function messageOf({ keyword, params, message }: TLocalizedValidationError): string {
  switch (keyword) {
    case 'type':
      return `must be ${EITHER.format([params.type].flat().flatMap((type) => TYPE_WORDS[type] ?? type))}`;
    case 'const':
      return `must be ${params.allowedValue}`;
    case 'enum':
      return `must be one of ${params.allowedValues.map(String).join(', ')}`;
    case 'pattern':
      return Object.values(PATTERNS).find(({ pattern }) => pattern === params.pattern)?.message ?? message;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : message;
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`;
    default:
      // Such as `must not have more than 200 characters`.
      return message;
  }
}

/** The fields of a body that are valid by themselves, and the names of the faulty ones. */
export type CheckedFields = { usable: Record<string, unknown>; faulty: ReadonlySet<string> };

function checkFields(schema: TSchema, body: object): CheckedFields {
  const { properties } = schema as TObject;
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(properties, name));
  const refused = known.filter(([name, value]) => !Value.Check(properties[name] as TSchema, value));
  const faulty = new Set(refused.map(([name]) => name));
  const valid = known.filter(([name]) => !faulty.has(name));
  return { usable: converterOf(schema)(Object.fromEntries(valid)) as CheckedFields['usable'], faulty };
}

/**
 * Adds the faults of the rules between fields to the faults of the schema, so that one response names all of them. The
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
