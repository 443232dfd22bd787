/** The differences between two dumps, as `collection/_id.path`, and documents that only one of them has. */
export function differences(before: Map<string, object>, after: Map<string, object>): string[] {
  const found: string[] = [];
  for (const [key, row] of before) {
    const now = after.get(key);
    if (now) found.push(...changed(row, now).map((path) => `${key}${path}`));
    else found.push(`${key} removed`);
  }
  for (const key of after.keys()) if (!before.has(key)) found.push(`${key.slice(0, key.indexOf('/'))} added`);
  return found.sort();
}

function changed(a: unknown, b: unknown): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const isPlain = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  if (!isPlain(a) || !isPlain(b)) return [''];
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return fields.flatMap((field) => changed(a[field], b[field]).map((path) => `.${field}${path}`));
}
