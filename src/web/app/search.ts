/** Parses a query string; repeated names become a list: `?type=exam&type=sports`. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const given = new URLSearchParams(search);
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    found[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return found;
}

/** Writes a query string; leaves out empty and undefined values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') given.append(name, String(one));
  }
  const text = given.toString();
  return text ? `?${text}` : '';
}
