import { setTimeout as delay } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import { tooManyChanges } from '../core/errors.ts';
import { type Transact, type TransactOnce, type Tx, WriteConflict } from '../core/transaction.ts';

// After this time of write conflicts a transaction fails with `busy`, and the caller may retry.
const TRANSACTION_LIMIT_MS = 20_000;
/** The longest pause before a transaction runs again; it grows by this with every try, up to the limit. */
const PAUSE_MS = 10;
const PAUSE_LIMIT_MS = 500;
const DURABLE = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** Runs transactions; after a write conflict it ends abandoned ones that may hold the rows. */
export function transactionsOn(client: mongo.MongoClient): { transact: Transact; transactOnce: TransactOnce } {
  const reap = transactionReaper(client);

  async function transactOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const session = client.startSession();
    callbacks.set(session, []);
    try {
      session.startTransaction(DURABLE);
      const result = await runWork(session, work);
      await commit(session);
      for (const callback of callbacks.get(session) ?? []) callback();
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => {});
      // Such a transaction had a write conflict or lost its primary, and may be retried from its start.
      if (!hasLabel(error, 'TransientTransactionError')) throw error;
      reap();
      throw new WriteConflict('another transaction committed first', { cause: error });
    } finally {
      callbacks.delete(session);
      await session.endSession();
    }
  }

  async function transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const until = performance.now() + TRANSACTION_LIMIT_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await transactOnce(work);
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
        if (performance.now() > until) throw tooManyChanges();
      }
      await delay(Math.random() * Math.min(tries * PAUSE_MS, PAUSE_LIMIT_MS));
    }
  }

  return { transact, transactOnce };
}

const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label);

/** Interrupted: `transactionReaper` of some process ended the transaction while a statement of it was running. */
const INTERRUPTED = 11601;

/** Runs the work of a transaction. If the transaction is ended meanwhile, its error says that it may be retried from its start. */
async function runWork<T>(session: mongo.ClientSession, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await work(session as unknown as Tx);
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoError && error.code === INTERRUPTED)
      error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

/** Repeats a commit whose answer was lost, which is idempotent. */
async function commit(session: mongo.ClientSession): Promise<void> {
  for (const until = Date.now() + TRANSACTION_LIMIT_MS; ; ) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || Date.now() > until) throw error;
    }
  }
}

type Callback = () => void;

/** By the session of each open transaction of this process. */
const callbacks = new Map<mongo.ClientSession, Callback[]>();

/** Calls `callback` after this transaction has committed; never if the process ends in between, so only for optional work. */
export function afterCommit(tx: Tx, callback: Callback): void {
  callbacks.get(tx as unknown as mongo.ClientSession)?.push(callback);
}

/** Only a process that was killed or paused leaves a transaction idle for this long. */
const ABANDONED_AFTER_MS = 5_000;
const CHECK_EVERY_MS = 2_000;

/**
 * Returns a function that ends abandoned transactions of this program, at most every two seconds; call it after a write
 * conflict. The transaction of a killed process locks its rows until the server's `transactionLifetimeLimitSeconds`, a
 * minute by default. A process that was only paused restarts its transaction. Those of this process are left, since a busy
 * one would never finish. If the server refuses the query, its own limit applies.
 */
export function transactionReaper(client: mongo.MongoClient, afterMs = ABANDONED_AFTER_MS): () => void {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = now;
    void endAbandoned(client, afterMs).catch(() => {});
  };
}

async function endAbandoned(client: mongo.MongoClient, afterMs: number): Promise<void> {
  const admin = client.db('admin');
  // The name of a process follows that of the program; transactions of other programs are never ended.
  const [program] = (client.options.appName ?? '').split(' ');
  const own = [...callbacks.keys()].map(({ id }) => id?.id);
  const found = admin.aggregate<{ lsid: { id: unknown } }>([
    { $currentOp: { allUsers: false, idleSessions: true } },
    {
      $match: {
        type: 'idleSession',
        appName: { $regex: `^${program}\\b` },
        'lsid.id': { $nin: own },
        'transaction.timeInactiveMicros': { $gt: afterMs * 1_000 },
      },
    },
    { $project: { lsid: 1 } },
  ]);
  const sessions = (await found.toArray()).map(({ lsid }) => ({ id: lsid.id }));
  if (sessions.length > 0) await admin.command({ killSessions: sessions });
}
