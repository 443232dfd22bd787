import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { retryUntilAnswered } from '../../src/mongo/mongo-errors.ts';

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongoose.mongo;
const server = (code: number) => new MongoServerError({ message: 'x', code });
/** The error of a bulk write with an error of its connection or the server inside. */
const inBulk = (error: Error) => new MongoBulkWriteError(error as never, {} as never);

/** A write that throws these errors one after the other and then succeeds. */
function failing(...errors: Error[]) {
  let tries = 0;
  const write = async () => {
    const error = errors[tries++];
    if (error) throw error;
    return tries;
  };
  return write;
}

test.each<[string, Error]>([
  ['the connection was lost', new MongoNetworkError('closed')],
  ['the connection was lost within a bulk write', inBulk(new MongoNetworkError('closed'))],
  ['the server is no longer the primary', server(10107)],
  ['the primary steps down within a bulk write', inBulk(server(189))],
  ['the server shuts down', inBulk(server(91))],
  ['the operation was interrupted by an election', inBulk(server(11602))],
  ['a majority did not confirm it in time', server(64)],
])('repeats a write when %s', async (_, error) => {
  expect(await retryUntilAnswered(failing(error, error))).toBe(3);
});

test.each<[string, Error]>([
  ['a duplicate key', server(11000)],
  ['a fault of ours', new TypeError('x')],
])('does not repeat a write that ends with %s', async (_, error) => {
  await expect(retryUntilAnswered(failing(error))).rejects.toBe(error);
});
