import type { Connection, mongo } from 'mongoose';
import type { CollectionName } from './collections.ts';

type How = { projection?: object; hint?: string; sort?: Readonly<Record<string, 1 | -1>>; limit?: number };

export type ReadAll = <Row>(name: CollectionName, filter: object, how?: How) => Promise<(Row & { _id: string })[]>;

const MOST = 10_000;

/**
 * All rows of a question for some hundreds, as one command: a cursor of the driver's costs as much as five more rows,
 * and reads each of them twice. What doesn't fit in one answer, and what is asked in the moment in which a server is lost,
 * is read with a cursor after all, which tries once more.
 */
export function readAllOn(connection: Connection, db: () => mongo.Db): ReadAll {
  return async <Row>(name: CollectionName, filter: object, how: How = {}) => {
    const question = { find: name, filter, ...how, batchSize: MOST };
    const answer = await db()
      .command(question, { ignoreUndefined: true })
      .catch(() => null);
    // One that is left open is closed by the server.
    if (answer && Number(answer.cursor.id) === 0) return answer.cursor.firstBatch as (Row & { _id: string })[];
    const found = connection.collection(name).find(filter, how as never);
    return (await found.toArray()) as unknown as (Row & { _id: string })[];
  };
}
