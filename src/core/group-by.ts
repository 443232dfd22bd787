/** Groups a list by a key; groups and their members keep the order of the list. */
export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

/** Sets an entry of a map of limited size; a full map loses its oldest entry. */
export function keepLatest<Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void {
  map.delete(key);
  if (map.size >= maxSize) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
