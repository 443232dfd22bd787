import validate from '../../../../dist/validate-event.js';
import { type Faults, faultsByField } from './faults.ts';

/** Checks the fields of the form against the API's schema, without a request. */
export function check(fields: Record<string, unknown>): Faults {
  if (validate(withoutBlanks(fields))) return {};
  const errors = (validate.errors ?? []).map(({ instancePath, keyword, params }) => ({
    pointer: params.missingProperty ? `${instancePath}/${params.missingProperty}` : instancePath,
    rule: params.format ?? keyword,
    limit: params.limit,
  }));
  return faultsByField(errors);
}

/** The fields without those that are empty; the entries of lists stay. */
function withoutBlanks(fields: object): Record<string, unknown> {
  const isBlank = (value: unknown) => value === null || value === '' || Number.isNaN(value);
  const filled = Object.entries(fields).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    filled.map(([name, value]) => [
      name,
      typeof value === 'object' && !Array.isArray(value) ? withoutBlanks(value) : value,
    ]),
  );
}
