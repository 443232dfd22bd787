import type { Connection, mongo } from 'mongoose';

/** Nothing of ours leaves a transaction alone for so long but a process that is gone, or was stopped in its midst. */
const ABANDONED_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 2_000;

/** The name our connections carry, so that nobody else's transactions are touched. */
export const APP_NAME = 'schoolbell';

/**
 * The transaction of a killed process holds its rows until the server's `transactionLifetimeLimitSeconds` has passed, a
 * minute by default: everybody else who needs one of them loses for that long. So whoever loses looks, at most every two
 * seconds, for transactions of ours that nobody has gone on with, and ends them. A process that was only stopped finds
 * its transaction gone and begins it anew. Where a server doesn't allow the question, its own limit remains.
 */
export function endAbandoned(connection: Connection, afterMs = ABANDONED_AFTER_MS): () => void {
  let looked = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - looked < LOOK_EVERY_MS) return;
    looked = now;
    void look(connection.getClient(), afterMs).catch(() => {});
  };
}

async function look(client: mongo.MongoClient, afterMs: number): Promise<void> {
  const admin = client.db('admin');
  const found = admin.aggregate<{ lsid: { id: unknown } }>([
    { $currentOp: { allUsers: false, idleSessions: true } },
    {
      $match: {
        type: 'idleSession',
        appName: client.options.appName,
        'transaction.timeInactiveMicros': { $gt: afterMs * 1_000 },
      },
    },
    { $project: { lsid: 1 } },
  ]);
  const sessions = (await found.toArray()).map(({ lsid }) => ({ id: lsid.id }));
  if (sessions.length > 0) await admin.command({ killSessions: sessions });
}
