/** The members of a group: at least one. */
export type Group<T> = [T, ...T[]];

/** The members of a list by each of their keys; keys and members keep the order of the list. */
export function mapBy<T>(all: readonly T[], keysOf: (one: T) => readonly string[]): Map<string, Group<T>> {
  const groups = new Map<string, Group<T>>();
  for (const one of all) {
    for (const key of keysOf(one)) {
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  }
  return groups;
}

/** Groups a list by a key; groups and their members keep the order of the list. */
export const groupBy = <T>(all: readonly T[], keyOf: (one: T) => string): Group<T>[] => [
  ...mapBy(all, (one) => [keyOf(one)]).values(),
];

/** Records by their id; of several with the same id the last counts. */
export const byId = <T extends { id: string }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [one.id, one]));

/** Records of people by their user id; of several with the same id the last counts. */
export const byUserId = <T extends { user_id: string }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [one.user_id, one]));

/** Sets an entry of a map of limited size; a full map loses its oldest entry. */
export function keepLatest<Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void {
  map.delete(key);
  if (map.size >= maxSize) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}

/** Takes turns (round robin): the keys behind the last one served, then the others. @param keys in order */
export const inTurnAfter = (last: string, keys: readonly string[]): string[] => [
  ...keys.filter((key) => key > last),
  ...keys.filter((key) => key <= last),
];

/** Splits a list into chunks of at most `size`, in order. */
export function chunksOf<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let i = 0; i < all.length; i += size) chunks.push(all.slice(i, i + size));
  return chunks;
}

/** Groups what a source yields into batches of at most `size`, in order; a caller that stops early ends the source. */
export async function* batchesOf<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const one of source) {
    if (batch.push(one) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
