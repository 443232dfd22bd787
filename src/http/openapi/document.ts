import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';
import { FORMATS, type FormatName } from './formats.ts';

type Member = Record<string, unknown>;
type Operation = { requestBody?: { required?: boolean; content: Record<string, { schema?: Member }> } };

const isMember = (value: unknown): value is Member => typeof value === 'object' && value !== null;

/**
 * Adds to the generated document what Fastify can't know: patterns for our own formats, because other tools don't know
 * them; descriptions of fields; which bodies are optional; and for `x-shape` the schema of a value that the handler
 * checks itself.
 */
export function completeDocument<T extends object>(document: T): T {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> };
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (!requestBody) continue;
    const needed = Object.values(requestBody.content).map(({ schema }) => schema?.required);
    requestBody.required = needed.some((names) => Array.isArray(names) && names.length > 0);
  }
  addPatterns(document);
  addDescriptions(document);
  return document;
}

function addDescriptions(value: unknown): void {
  if (!isMember(value)) return;
  if (isMember(value.properties)) {
    for (const [name, property] of Object.entries(value.properties)) if (isMember(property)) describe(property, name);
  }
  if (typeof value.in === 'string') describe(value, String(value.name));
  for (const inner of Object.values(value)) addDescriptions(inner);
}

function describe(field: Member, name: string): void {
  const description = FIELD_DESCRIPTIONS[name];
  if (description && !field.description) field.description = description;
}

function addPatterns(value: unknown): void {
  if (!isMember(value)) return;
  const { format } = value;
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format as FormatName] : null;
  if (known && 'pattern' in known && 'type' in value) value.pattern = known.pattern;
  if (typeof value['x-shape'] === 'string') {
    value.anyOf = [
      { $ref: `#/components/schemas/${value['x-shape']}` },
      { description: 'Any other value is answered as rejected.' },
    ];
    delete value['x-shape'];
  }
  for (const inner of Object.values(value)) addPatterns(inner);
}
