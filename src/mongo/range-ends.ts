import type { mongo } from 'mongoose';
import type { Collection } from './collection.ts';

/**
 * Finds the last key of each full range of `size` rows, in the order of the key and strictly after `after`. Each range
 * costs one query, which skips through the index.
 */
export async function rangeEnds<Row extends mongo.Document>(
  rows: Collection<Row>,
  filter: object,
  key: string & keyof Row,
  after: string,
  size: number,
): Promise<string[]> {
  const ends: string[] = [];
  for (;;) {
    const later = { ...filter, [key]: { $gt: ends.at(-1) ?? after } };
    const end = await rows.findOne(later as never, { projection: { [key]: 1 }, sort: { [key]: 1 }, skip: size - 1 });
    if (!end) return ends;
    ends.push(end[key] as string);
  }
}

/** Matches the rows of a range: strictly after `after`, up to and with `until`; null: no bound. */
export const within = (key: string, after: string | null, until: string | null): object => ({
  ...(after === null && until === null
    ? {}
    : { [key]: { ...(after === null ? {} : { $gt: after }), ...(until === null ? {} : { $lte: until }) } }),
});
