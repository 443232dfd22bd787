/** Sets an entry of a map of limited size; a full map loses its oldest entry. */
export function keepLatest<Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void {
  map.delete(key);
  if (map.size >= maxSize) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
