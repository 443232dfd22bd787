import type { Connection, mongo } from 'mongoose';

/** Only a process that was killed or paused leaves a transaction idle for this long. */
const ABANDONED_AFTER_MS = 5_000;
const CHECK_EVERY_MS = 2_000;

/**
 * Returns a function that ends abandoned transactions of this program, at most every two seconds; call it after a write
 * conflict. The transaction of a killed process locks its rows until the server's `transactionLifetimeLimitSeconds`, a
 * minute by default. A process that was only paused restarts its transaction. If the server refuses the query, its own
 * limit applies.
 */
export function transactionReaper(connection: Connection, afterMs = ABANDONED_AFTER_MS): () => void {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = now;
    void endAbandoned(connection.getClient(), afterMs).catch(() => {});
  };
}

async function endAbandoned(client: mongo.MongoClient, afterMs: number): Promise<void> {
  const admin = client.db('admin');
  // The name of a process follows that of the program; transactions of other programs are never ended.
  const [program] = (client.options.appName ?? '').split(' ');
  const found = admin.aggregate<{ lsid: { id: unknown } }>([
    { $currentOp: { allUsers: false, idleSessions: true } },
    {
      $match: {
        type: 'idleSession',
        appName: { $regex: `^${program}\\b` },
        'transaction.timeInactiveMicros': { $gt: afterMs * 1_000 },
      },
    },
    { $project: { lsid: 1 } },
  ]);
  const sessions = (await found.toArray()).map(({ lsid }) => ({ id: lsid.id }));
  if (sessions.length > 0) await admin.command({ killSessions: sessions });
}
