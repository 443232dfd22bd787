import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isStarted } from '../core/is-started.ts';
import { buildApp } from '../http/app.ts';
import type { HttpDeps } from '../http/deps.ts';
import { eventValidator, VALIDATOR_TYPE } from './event-validator.ts';

/** A JSON Schema of the OpenAPI document. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
};
type Content = Record<string, { schema?: Schema }>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const quoted = (name: string): string => JSON.stringify(name);

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown';
  if (schema.$ref) return `components["schemas"][${quoted(schema.$ref.split('/').at(-1) ?? '')}]`;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeOf(schema.items)}>`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => `${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  if (fields.length > 0) return `{ ${fields.join(' ')} }`;
  const more = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return `Record<string, ${more}>`;
}

function parametersOf(all: readonly Parameter[]): string {
  const places = ['query', 'header', 'path'].map((place) => {
    const own = all.filter((one) => one.in === place);
    const fields = own.map(({ name, required, schema }) => `${quoted(name)}${required ? '' : '?'}: ${typeOf(schema)};`);
    const needed = own.some(({ required }) => required);
    return own.length === 0 ? `${place}?: never;` : `${place}${needed ? '' : '?'}: { ${fields.join(' ')} };`;
  });
  return `{ ${places.join(' ')} cookie?: never }`;
}

const contentOf = (content: Content | undefined): string =>
  content
    ? `content: { ${Object.entries(content)
        .map(([type, { schema }]) => `${quoted(type)}: ${typeOf(schema)};`)
        .join(' ')} }`
    : 'content?: never';

function operationOf({ parameters = [], requestBody, responses }: Operation): string {
  const answers = Object.entries(responses).map(
    ([status, { content }]) => `${status}: { headers: { [name: string]: unknown }; ${contentOf(content)} };`,
  );
  const body = requestBody ? `requestBody: { ${contentOf(requestBody.content)} };` : 'requestBody?: never;';
  return `{ parameters: ${parametersOf(parameters)}; ${body} responses: { ${answers.join(' ')} } }`;
}

/**
 * Generates the types of the browser client for `openapi-fetch` from the OpenAPI document. openapi-typescript can't: it needs
 * the API of TypeScript 5, and npm installs it beside no other version.
 */
function typesOf({ paths, components }: Document): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `${name}: ${typeOf(schema)};`);
  const routes = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => `${method}: ${operationOf(operation)};`);
    return `${quoted(path)}: { ${operations.join('\n    ')} };`;
  });
  return [
    '// Made from the OpenAPI document by src/build/api-types.ts when the project is built.',
    `export interface components { schemas: {\n  ${schemas.join('\n  ')}\n} }`,
    `export interface paths {\n  ${routes.join('\n  ')}\n}\n`,
  ].join('\n');
}

/** The current OpenAPI document, without starting the service. */
export async function apiDocument(): Promise<Document> {
  const verifyToken = async (): Promise<never> => {
    throw new Error('no request is sent while types are generated');
  };
  const app = buildApp({} as HttpDeps, { publicUrl: 'http://127.0.0.1', verifyToken });
  await app.ready();
  const { swagger } = app as unknown as { swagger: () => Document };
  const document = swagger.call(app);
  await app.close();
  return document;
}

if (isStarted('src/build/api-types')) {
  const folder = pathToFileURL(`${process.cwd()}/dist/`);
  mkdirSync(folder, { recursive: true });
  const document = await apiDocument();
  const files = {
    'api.d.ts': typesOf(document),
    'validate-event.js': await eventValidator(document),
    'validate-event.d.ts': VALIDATOR_TYPE,
  };
  for (const [name, content] of Object.entries(files)) {
    const file = new URL(name, folder);
    // An unchanged file keeps its date, so files built from it stay valid.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
  }
}
