import { Ajv, type Format } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { FORMATS } from '../http/openapi/formats.ts';

type Operation = { requestBody?: { content: Record<string, { schema?: object }> } };
/** The part of the OpenAPI document that the validator needs. */
type Document = { paths: Record<string, Record<string, Operation>> };

/** The type of the module that `eventValidator` returns. */
export const VALIDATOR_TYPE = `type Fault = { instancePath: string; keyword: string; params: { missingProperty?: string; format?: string; limit?: number } };
declare const validate: { (body: unknown): boolean; errors: Fault[] | null };
export default validate;
`;

/** Formats with a pattern are checked in the browser, the others by the server only. */
const formats = Object.fromEntries<Format>(
  Object.entries(FORMATS).map(([name, format]) => [name, 'pattern' in format ? new RegExp(format.pattern, 'u') : true]),
);

/**
 * Compiles the body of a new event into a function for the browser, as a module. Compiled code needs neither Ajv nor `eval`
 * there, which the content security policy forbids.
 */
export async function eventValidator(document: Document): Promise<string> {
  const ajv = new Ajv({ allErrors: true, strict: false, formats, messages: false, code: { source: true, esm: true } });
  const body = document.paths['/api/v1/operations/events']?.post?.requestBody?.content['application/json']?.schema;
  const validate = ajv.compile(checksOf(body) as object);
  const { default: codeOf } = standalone as unknown as { default: (ajv: Ajv, validate: unknown) => string };
  const { outputFiles } = await build({
    // The form reads where and why a value is wrong and the limit, but not by which part of the schema.
    stdin: {
      contents: codeOf(ajv, validate).replaceAll(
        /schemaPath:"[^"]*",|(?<=params:\{)(?!missing|format|limit|comparison)[^}]*/g,
        '',
      ),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Drops what checks nothing; what the form can't have wrong, such as a type other than a whole number; and the pattern beside a
 * format, so that a fault names the format.
 */
function checksOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checksOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const isText = 'format' in schema && typeof schema.format === 'string';
  const isDropped = (name: string, value: unknown) =>
    name === '$id' ||
    name === 'default' ||
    (name === 'additionalProperties' && value === false) ||
    (name === 'type' && [value].flat().every((one) => typeof one === 'string' && one !== 'integer')) ||
    (typeof value === 'string' && (name === 'description' || (isText && name === 'pattern')));
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !isDropped(name, value))
      .map(([name, value]) => [name, checksOf(value)]),
  );
}
