import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { isUnavailable } from '../../src/mongo/mongo-errors.ts';

const { MongoServerError, MongoNetworkError, MongoServerSelectionError, MongoWriteConcernError, MongoError } =
  mongoose.mongo;
const answer = (code: number, codeName: string, errorLabels: string[] = []) =>
  new MongoServerError({ ok: 0, errmsg: codeName, code, codeName, errorLabels });

test.each<[string, Error]>([
  ['a primary that stepped down', answer(189, 'PrimarySteppedDown')],
  ['a server that is not the primary', answer(10107, 'NotWritablePrimary')],
  ['an old server that is not the primary', answer(10058, 'LegacyNotPrimary')],
  ['a question that a change of the primary interrupted', answer(11602, 'InterruptedDueToReplStateChange')],
  ['a server that shuts down', answer(91, 'ShutdownInProgress')],
  ['a server that was shut down meanwhile', answer(11600, 'InterruptedAtShutdown')],
  ['a member that takes no reads now', answer(13436, 'NotPrimaryOrSecondary')],
  ['a label', answer(8000, 'AtlasError', ['RetryableWriteError'])],
  ['a commit whose outcome is unknown', answer(50, 'MaxTimeMSExpired', ['UnknownTransactionCommitResult'])],
  ['a lost connection', new MongoNetworkError('connection closed')],
  ['no server', new MongoServerSelectionError('timed out', { error: null } as never)],
  ['what mongoose kept back', new mongoose.Error('Operation `events.find()` buffering timed out after 10000ms')],
  [
    'a socket that closed while it was written to',
    Object.assign(new Error('ended by the other party'), { code: 'EPIPE' }),
  ],
  [
    'a bulk write whose connection was lost',
    Object.assign(new MongoError('read ECONNRESET'), {
      errorResponse: new MongoNetworkError('read ECONNRESET'),
    }),
  ],
  [
    'a bulk write that the primary refused',
    Object.assign(new MongoError('not primary'), { errorResponse: { code: 10107 } }),
  ],
  ['a cause', new Error('it failed', { cause: answer(189, 'PrimarySteppedDown') })],
  [
    'a write that reached no majority before the primary went',
    new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 11602, errmsg: 'interrupted' } } as never),
  ],
])('takes %s for a database that is away for a moment', (_name, error) => {
  expect(isUnavailable(error)).toBe(true);
});

test.each<[string, unknown]>([
  ['a duplicate key', answer(11000, 'DuplicateKey')],
  ['a bad question', answer(2, 'BadValue')],
  ['a fault of ours', new TypeError('x is not a function')],
  ['a driver error of ours', new MongoError('the argument is wrong')],
  ['a text', 'NotWritablePrimary'],
  ['nothing', undefined],
])('does not take %s for one', (_name, error) => {
  expect(isUnavailable(error)).toBe(false);
});
