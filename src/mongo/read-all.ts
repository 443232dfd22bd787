import type { Connection, mongo } from 'mongoose';
import type { CollectionName } from './collections.ts';

type How = { projection?: object; hint?: string; sort?: Readonly<Record<string, 1 | -1>>; limit?: number };

export type ReadAll = <Row>(name: CollectionName, filter: object, how?: How) => Promise<(Row & { _id: string })[]>;

const MOST = 10_000;

/**
 * Reads some hundreds of rows in one command, because a driver cursor costs as much as five more rows and reads each row
 * twice. Uses a cursor, which retries once, if the result does not fit in one answer or the server is lost.
 */
export function readAllOn(connection: Connection, db: () => mongo.Db): ReadAll {
  return async <Row>(name: CollectionName, filter: object, how: How = {}) => {
    const question = { find: name, filter, ...how, batchSize: MOST };
    const answer = await db()
      .command(question, { ignoreUndefined: true })
      .catch(() => null);
    // The server closes the unfinished cursor of the other case.
    if (answer && Number(answer.cursor.id) === 0) return answer.cursor.firstBatch as (Row & { _id: string })[];
    const found = connection.collection(name).find(filter, how as never);
    return (await found.toArray()) as unknown as (Row & { _id: string })[];
  };
}
