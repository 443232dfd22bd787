import { FORMATS, type FormatName } from './formats.ts';

type Member = Record<string, unknown>;
type Operation = { requestBody?: { required?: boolean; content: Record<string, { schema?: Member }> } };

const isMember = (value: unknown): value is Member => typeof value === 'object' && value !== null;

/**
 * The document as others read it: our own formats also as patterns, since nobody else knows them, and a body that needs
 * none of its fields as one that may be left out; `x-shape` names what a value that is checked later should look like.
 */
export function finished<T extends object>(document: T): T {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> };
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (!requestBody) continue;
    const needed = Object.values(requestBody.content).map(({ schema }) => schema?.required);
    requestBody.required = needed.some((names) => Array.isArray(names) && names.length > 0);
  }
  withPatterns(document);
  return document;
}

function withPatterns(value: unknown): void {
  if (!isMember(value)) return;
  const { format } = value;
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format as FormatName] : null;
  if (known && 'pattern' in known && 'type' in value) value.pattern = known.pattern;
  if (typeof value['x-shape'] === 'string') {
    value.anyOf = [{ $ref: `#/components/schemas/${value['x-shape']}` }, { description: 'anything else' }];
    delete value['x-shape'];
  }
  for (const inner of Object.values(value)) withPatterns(inner);
}
