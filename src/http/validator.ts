import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { type FieldFault, invalid, type Refused } from '../core/errors.ts';
import { FORMATS, type FormatName } from './openapi/formats.ts';

// Every fault at once, but not one for each of ten thousand unknown fields.
Settings.Set({ maxErrors: 100 });

const PREFIX: Record<string, string> = { body: '', querystring: '/query', params: '/params', headers: '/headers' };

/**
 * Checks a part of the request against its schema and refuses with everything that is wrong with it. Bodies are taken as
 * they are; a query or path has only texts, so numbers and booleans are read from those that are exactly one, and a list
 * of values is a parameter that is given several times, or once.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const check = Compile(schema);
  const prefix = PREFIX[httpPart] ?? '';
  const kept: readonly string[] = ('x-read-only' in schema && (schema['x-read-only'] as string[])) || [];
  return (input) => {
    const value = httpPart === 'body' ? input : read(schema, input);
    if (check.Check(value)) return { value };
    return { error: invalid(oneEach(check.Errors(value).flatMap((error) => faultsOf(error, prefix, kept)))) };
  };
};

/** The same check for a value that is answered by itself. @throws Refused `validation_failed` with all of its faults */
export function checkOf(schema: TSchema): (value: unknown) => unknown {
  const check = validatorCompiler({ schema, method: '', url: '', httpPart: 'body' }) as (input: unknown) => Checked;
  return (value) => {
    const result = check(value);
    if ('error' in result) throw result.error;
    return result.value;
  };
}

type Checked = { value: unknown } | { error: Refused };

// An empty text is both too short and not a line: one word about each place is enough.
const oneEach = (faults: FieldFault[]): FieldFault[] =>
  faults.filter(({ pointer }, i) => faults.findIndex((other) => other.pointer === pointer) === i);

function read(schema: TSchema, input: Record<string, unknown>): Record<string, unknown> {
  const properties: Record<string, { type?: unknown }> = 'properties' in schema ? Object(schema.properties) : {};
  const value = { ...input };
  for (const [name, { type }] of Object.entries(properties)) {
    const text = value[name];
    if (typeof text !== 'string') continue;
    if (type === 'array') value[name] = [text];
    if (type === 'boolean' && (text === 'true' || text === 'false')) value[name] = text === 'true';
    if (type === 'integer' && /^-?\d{1,15}$/.test(text)) value[name] = Number(text);
  }
  return value;
}

function faultsOf(error: TLocalizedValidationError, prefix: string, kept: readonly string[]): FieldFault[] {
  // Names of unknown fields come from outside and go back in the answer.
  const at = `${prefix}${error.instancePath}`.slice(0, 300);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ pointer: `${at}/${name}`, message: 'is required' }));
    case 'boolean':
      if (kept.includes(error.instancePath.slice(1))) return [{ pointer: at, message: 'can’t be written' }];
      return [{ pointer: at, message: prefix === '/query' ? 'is not a known parameter' : 'is not a known field' }];
    case 'additionalProperties':
      // Says again for all unknown fields what `boolean` says for each.
      return [];
    case 'format':
      return [{ pointer: at, message: FORMATS[error.params.format as FormatName]?.message ?? error.message }];
    case 'enum':
      return [{ pointer: at, message: `must be one of ${error.params.allowedValues.map(String).join(', ')}` }];
    default:
      return [{ pointer: at, message: error.message }];
  }
}
