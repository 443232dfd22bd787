import { createRefill } from '../../../src/notifications/fan-out/enqueue.ts';
import type {
  DeliveryJob,
  DeliveryQueue,
  DeliveryStore,
  NotificationStores,
} from '../../../src/notifications/ports.ts';
import type { Channel } from '../../../src/people/channels.ts';
import { NOW } from '../../support/builders.ts';

type Row = {
  id: string;
  tenant_id: string;
  channel: Channel;
  urgent: boolean;
  queued_at: number | null;
};

/** How many jobs of one channel and priority Redis may hold. */
export const MOST = { urgent: 60, bulk: 40 };

/** MongoDB and Redis as lists. Only `work` and `flush` remove jobs from a queue. */
export function inMemoryQueues(first: Row[] = []) {
  const now = { at: NOW.getTime() };
  const faults = { queue: false };
  const rows = new Map<string, Row>();
  /** waiting messages by channel, priority and tenant */
  const waitingOf = new Map<string, Row[]>();
  let jobs: (DeliveryJob & { channel: Channel })[] = [];
  const arrive = (more: readonly Row[]) => {
    for (const row of more) {
      const priority = `${row.channel} ${row.urgent} ${row.tenant_id}`;
      rows.set(row.id, row);
      const waiting = waitingOf.get(priority);
      if (waiting) waiting.push(row);
      else waitingOf.set(priority, [row]);
    }
  };
  const reachable = async () => {
    if (faults.queue) throw new Error('Redis does not answer');
  };
  const deliveries = {
    findWaitingTenants: async (channel: Channel, urgent: boolean) =>
      [...waitingOf]
        .filter(([priority, waiting]) => priority.startsWith(`${channel} ${urgent} `) && waiting.length > 0)
        .map(([priority]) => priority.split(' ')[2] ?? '')
        .sort(),
    takeForQueue: async (channel: Channel, urgent: boolean, tenant_id: string, limit: number) => {
      const taken = waitingOf.get(`${channel} ${urgent} ${tenant_id}`)?.splice(0, limit) ?? [];
      for (const row of taken) row.queued_at = now.at;
      return taken.map(({ id }) => id);
    },
    requeueLost: async (channels: readonly Channel[], urgent: boolean, olderThanMs: number) => {
      const before = now.at - olderThanMs;
      const lost = [...rows.values()].filter(
        (row) =>
          channels.includes(row.channel) && row.urgent === urgent && row.queued_at !== null && row.queued_at < before,
      );
      for (const row of lost) row.queued_at = null;
      arrive(lost);
      return lost.length;
    },
  } as unknown as DeliveryStore;
  const deliveryQueue: DeliveryQueue = {
    add: async (channel, added) => {
      await reachable();
      jobs.push(...added.map((job) => ({ ...job, channel })));
    },
    depth: async (channel) => {
      await reachable();
      const [later, held] = [true, false].map((is) =>
        jobs.filter((job) => job.channel === channel && (job.afterMs !== undefined) === is),
      ) as [typeof jobs, typeof jobs];
      const urgent = held.filter((job) => job.urgent).length;
      return { urgent, bulk: held.length - urgent, later: later.length };
    },
  };
  arrive(first);
  return {
    deps: { deliveries, deliveryQueue },
    refill: createRefill({ deliveries, deliveryQueue } as unknown as NotificationStores & {
      deliveryQueue: DeliveryQueue;
    }),
    now,
    faults,
    arrive,
    jobs: () => jobs,
    ids: () => jobs.flatMap((job) => job.ids),
    /** the tenant of each job, in order */
    tenants: () => jobs.map((job) => rows.get(job.ids[0] ?? '')?.tenant_id),
    /** Processes the first `count` jobs. */
    work: (count: number) => {
      for (const id of jobs.slice(0, count).flatMap((job) => job.ids)) rows.delete(id);
      jobs = jobs.slice(count);
    },
    /** Redis is emptied. */
    flush: () => {
      jobs = [];
    },
  };
}

export const waitingRows = (count: number, more: Partial<Row> = {}): Row[] => {
  const { tenant_id = 't1', channel = 'email', urgent = false } = more;
  return Array.from({ length: count }, (_, i) => ({
    id: `${tenant_id}-${channel}-${urgent ? 'urgent' : 'bulk'}-${i}`,
    tenant_id,
    channel,
    urgent,
    queued_at: null,
    ...more,
  }));
};
