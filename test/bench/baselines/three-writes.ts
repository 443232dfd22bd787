import { openDatabase } from '../../../src/mongo/open-database.ts';
import { servePart } from '../part.ts';
import { repeat } from '../repeat.ts';

export type ThreeWrites = { count: number; inFlight: number };

const database = await openDatabase(process.env.MONGODB_URI ?? '');
const [events, facts, replies] = (['events', 'facts', 'replies'] as const).map((name) => database.collection(name));
const text = 'x'.repeat(600);
let made = 0;

/** Transactions that insert a document into each of three collections, as durable as ours: the raw limit. */
servePart(async ({ count, inFlight }: ThreeWrites) => {
  const ms = await repeat(count, inFlight, () => {
    const _id = `three-${process.pid}-${made++}`;
    return database.transact(async (tx) => {
      const session = tx as never;
      await events?.insertOne({ _id, text } as never, { session });
      await facts?.insertOne({ _id, text } as never, { session });
      await replies?.insertOne({ _id, text } as never, { session });
    });
  });
  return { count, ms };
});
