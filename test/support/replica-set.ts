import { setTimeout as delay } from 'node:timers/promises';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { becomesPrimary, replicaSetUri, startMember, withMember } from '../../src/dev/services/services.ts';

/** A replica set of three mongod processes with separate data and ports and small caches. */
export type ReplicaSet = {
  readonly uri: string;
  readonly members: readonly LocalServer[];
  /** Waits until one of the running members is primary. */
  primary(): Promise<LocalServer>;
  /** Makes another member the primary, as maintenance does; closes connections to the old one. */
  stepDown(): Promise<void>;
  /** Ends the primary and resolves when another one is elected. @returns the ended one, to be restarted */
  endPrimary(signal: 'SIGTERM' | 'SIGKILL'): Promise<LocalServer>;
  /** Ends all three members together, starts them again with their data and resolves when there is a primary. */
  restartAll(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
};

/** Much less than the 10 s of production, so that a test can change the primary often. */
const ELECTION = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
const PRIMARY_LIMIT_MS = 60_000;

/** Starts one. It ends with this process, however that ends. */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const members = await Promise.all([1, 2, 3].map(() => startMember({ cacheSizeGB: 0.25 })));
  const ports = members.map(({ port }) => port);
  const [first = 0] = ports;
  await withMember(first, (direct) => becomesPrimary(direct, ports, ELECTION));

  async function primary(): Promise<LocalServer> {
    const until = Date.now() + PRIMARY_LIMIT_MS;
    for (;;) {
      const writable = await Promise.all(members.map(({ port }) => isWritable(port).catch(() => false)));
      const found = members[writable.indexOf(true)];
      if (found) return found;
      if (Date.now() > until) throw new Error(`no primary was elected within ${PRIMARY_LIMIT_MS} ms`);
      await delay(50);
    }
  }

  return {
    uri: replicaSetUri(ports),
    members,
    primary,
    async stepDown() {
      const old = await primary();
      await withMember(old.port, (direct) =>
        direct.db('admin').command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 4 }),
      );
      await primary();
    },
    async endPrimary(signal) {
      const old = await primary();
      await old.kill(signal);
      await primary();
      return old;
    },
    async restartAll(signal) {
      await Promise.all(members.map((member) => member.restart({ signal })));
      await primary();
    },
    stop: async () => void (await Promise.all(members.map((member) => member.stop()))),
  };
}

const isWritable = (port: number): Promise<boolean> =>
  withMember(port, async (direct) => {
    const { isWritablePrimary } = await direct.db('admin').command({ hello: 1 });
    return isWritablePrimary === true;
  });
