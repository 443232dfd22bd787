/** Puts one more into a map that holds so many at the most: the one that came first makes room. */
export function keepLatest<Value>(kept: Map<string, Value>, key: string, value: Value, most: number): void {
  kept.delete(key);
  if (kept.size >= most) kept.delete(kept.keys().next().value ?? '');
  kept.set(key, value);
}
