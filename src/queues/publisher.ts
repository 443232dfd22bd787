import { Queue } from 'bullmq';
import { ofPriority, PRIORITIES, type Priority } from '../core/priority.ts';
import { localWakeUps, type WakeUps } from '../core/wake-ups.ts';
import type { DeliveryJob, DeliveryQueue } from '../notifications/ports.ts';
import type { FactQueue, UnpublishedFact } from '../outbox/ports.ts';
import {
  consumerConnection,
  isWrongDatabase,
  producerConnection,
  type QueueSettings,
  redisFault,
  waitUntilReady,
  within,
  writeFault,
} from './connection.ts';
import { type DeliveryPayload, type FactPayload, QUEUE_OF, type QueueName, queueNameOf } from './names.ts';

const CLOSE_WITHIN_MS = 1_000;

/** The queues of an installation over one connection, each opened at its first use. */
export function queueSet(settings: QueueSettings) {
  const connection = producerConnection(settings);
  const opened = new Map<string, Queue>();
  return {
    connection,
    queue(of: QueueName, priority: Priority): Queue {
      const name = queueNameOf(of, priority);
      const known = opened.get(name);
      if (known) return known;
      const queue = new Queue(name, {
        connection,
        prefix: settings.prefix,
        skipWaitingForReady: true,
        // The check would fail without Redis, and a queue whose first command fails refuses every later one.
        skipVersionCheck: true,
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      });
      queue.on('error', () => {});
      opened.set(name, queue);
      return queue;
    },
    async close() {
      for (const queue of opened.values()) await within(CLOSE_WITHIN_MS, queue.close()).catch(() => {});
      connection.disconnect();
    },
  };
}

const ADD_WITHIN_MS = 3_000;
const BOOT_WITHIN_MS = 10_000;

/** Adds wake-ups to the queues. Every call resolves or rejects within seconds; the reconciler repairs failed calls. */
export function publisher(settings: QueueSettings) {
  const { connection, queue, close } = queueSet(settings);
  const countJobs = async (name: QueueName, priority: Priority) => {
    const jobs = await queue(name, priority).getJobCounts('wait', 'active', 'prioritized', 'delayed');
    const of = (state: string): number => jobs[state] ?? 0;
    return { waiting: of('wait') + of('prioritized'), active: of('active'), later: of('delayed') };
  };
  const countByState = async (name: QueueName) => {
    const both = Promise.all([countJobs(name, 'urgent'), countJobs(name, 'bulk')]);
    const [urgent, bulk] = await within(ADD_WITHIN_MS, both);
    const sum = (of: 'active' | 'later') => urgent[of] + bulk[of];
    return { urgent: urgent.waiting, bulk: bulk.waiting, active: sum('active'), later: sum('later') };
  };
  const add = async (name: QueueName, priority: Priority, jobs: readonly NewJob[]) => {
    if (jobs.length > 0) await queue(name, priority).addBulk([...jobs]);
  };

  /** Adds the jobs of each priority to its queue, the urgent ones first. */
  const addAll = async <T extends { urgent: boolean }>(
    name: QueueName,
    all: readonly T[],
    jobOf: (one: T) => NewJob,
  ) => {
    for (const priority of PRIORITIES) await add(name, priority, ofPriority(priority, all).map(jobOf));
  };

  const factQueue: FactQueue = {
    publish: (facts) => within(ADD_WITHIN_MS, addAll('fan-out', facts, factJob)),
    async publishParts({ urgent, ...fact }, parts) {
      await within(ADD_WITHIN_MS, add('fan-out-parts', urgent ? 'urgent' : 'bulk', parts.map(partJob(fact))));
    },
    countWaiting: async (priority) => (await within(ADD_WITHIN_MS, countJobs('fan-out', priority))).waiting,
    async isIdle() {
      const both = await Promise.all([countByState('fan-out'), countByState('fan-out-parts')]);
      return both.every(({ urgent, bulk, active, later }) => urgent + bulk + active + later === 0);
    },
  };
  const deliveryQueue: DeliveryQueue = {
    add: (channel, jobs) => within(ADD_WITHIN_MS, addAll(QUEUE_OF[channel], jobs, deliveryJob)),
    depth: (channel) => countByState(QUEUE_OF[channel]),
  };
  return {
    factQueue,
    deliveryQueue,
    /** Wakes the loops of all processes; never rejects. */
    wake: async () => void (await connection.publish(wakeUpChannel(settings), '').catch(() => {})),
    /** `ok`, or why Redis takes no writes; one that is full answers a PING. */
    ping: () => within(2_000, connection.setnx(`${settings.prefix}:ping`, '')).then(() => 'ok', writeFault),
    /** Why this Redis must not be used, e.g. because it evicts keys; empty if it may. */
    async faults(withinMs = BOOT_WITHIN_MS): Promise<string[]> {
      const errors: unknown[] = [];
      const note = (error: unknown) => void errors.unshift(error);
      for (const event of ['error', 'sentinelError']) connection.on(event, note);
      const asked = waitUntilReady(connection).then(() => connection.info('memory'));
      const info = await within(withinMs, asked).catch((error) => {
        errors.push(error);
        return null;
      });
      for (const event of ['error', 'sentinelError']) connection.off(event, note);
      if (info === null || errors.some(isWrongDatabase)) return [redisFault(errors)];
      const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1];
      return policy && policy !== 'noeviction'
        ? [`Redis evicts keys (maxmemory-policy ${policy}): set it to noeviction`]
        : [];
    },
    close,
  };
}

/** The channel on which a process tells all others that it has made work. */
const wakeUpChannel = ({ prefix }: QueueSettings): string => `${prefix}:work`;

/**
 * Wake-ups of all processes, over Redis. One that is sent while Redis can't be reached is lost, so loops also look for work
 * every SWEEP_MS.
 */
export function remoteWakeUps(settings: QueueSettings): WakeUps & { close(): Promise<void> } {
  const connection = consumerConnection(settings);
  const { subscribe, notify } = localWakeUps();
  connection.on('message', notify);
  // Wake-ups may have been lost while the connection was.
  connection.on('ready', notify);
  // Fails only if the connection is closed first; the driver subscribes again after each reconnect.
  connection.subscribe(wakeUpChannel(settings)).catch(() => {});
  return { subscribe, close: async () => connection.disconnect() };
}

type NewJob = {
  name: string;
  data: FactPayload | DeliveryPayload;
  opts: { jobId?: string; delay?: number; priority?: number };
};

const factJob = ({ id, tenant_id }: UnpublishedFact): NewJob => ({
  name: 'fact',
  data: { factId: id, tenant_id },
  opts: { jobId: id },
});

/** A part's number is its priority, so that parts of several facts take turns. */
const partJob =
  ({ id, tenant_id }: Pick<UnpublishedFact, 'id' | 'tenant_id'>) =>
  (part: number): NewJob => ({
    name: 'part',
    data: { factId: id, tenant_id, part },
    opts: { jobId: `${id}-${part}`, priority: part + 1 },
  });

const deliveryJob = ({ ids, tenant_id, afterMs }: DeliveryJob): NewJob => ({
  name: 'deliver',
  data: { ids, tenant_id },
  opts: afterMs ? { delay: afterMs } : {},
});
