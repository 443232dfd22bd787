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
