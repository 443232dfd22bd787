import type { SchoolEvent } from '../../src/events/event.ts';
import type { DeliverDeps } from '../../src/notifications/delivery/deliver.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import type { FanOutDeps } from '../../src/notifications/fan-out/fan-out.ts';
import { type JobQueue, memoryQueue } from './job-queues.ts';

export type Parts = FanOutDeps & DeliverDeps & { jobs: JobQueue };

const none = async () => [];

/**
 * Guarantees by name, each with a port that does nothing instead of keeping it. The product has no such settings.
 */
export const LEFT_OUT: Readonly<Record<string, (parts: Parts, event: SchoolEvent) => Parts>> = {
  'recorded reasons of people not notified': (parts) => {
    const { deliveries } = parts;
    const waitingOnly = (rows: readonly Delivery[]) => rows.filter((row) => row.status === 'waiting');
    return { ...parts, deliveries: { ...deliveries, insertMany: (rows) => deliveries.insertMany(waitingOnly(rows)) } };
  },
  'lease, fencing token and `sending`': (parts) => {
    const { deliveries } = parts;
    const lease: typeof deliveries.lease = async (rows) => rows.map((row) => row.id);
    const markSending: typeof deliveries.markSending = async (ids) => [...ids];
    // Rows that were not leased have no fencing token to filter results by.
    const record: typeof deliveries.record = (results) => deliveries.record(results, null as never);
    return { ...parts, deliveries: { ...deliveries, lease, markSending, record } };
  },
  'delivery rows and all that needs them': (parts) => {
    const kept = new Map<string, Delivery>();
    const { deliveries } = parts;
    return {
      ...parts,
      deliveries: {
        ...deliveries,
        insertMany: async (rows) => {
          for (const row of rows) if (row.status === 'waiting') kept.set(row.id, row);
          return { collided: [] };
        },
        findDue: async (ids) => ids.flatMap((id) => kept.get(id) ?? []),
        lease: async (rows) => rows.map((row) => row.id),
        markSending: async (ids) => [...ids],
        record: async () => {},
        findInFlight: none,
        findOtherAnnouncements: none,
      },
    };
  },
  'reading the event and the registration': (parts, event) => {
    const known = new Map<string, Awaited<ReturnType<Parts['registrations']['findMany']>>[number]>();
    const { registrations } = parts;
    return {
      ...parts,
      events: { ...parts.events, findAnywhere: async () => event },
      registrations: {
        ...registrations,
        pageAfter: async (...asked) => {
          const page = await registrations.pageAfter(...asked);
          for (const row of page) known.set(row.id, row);
          return page;
        },
        findStatuses: async (_, ids) => ids.flatMap((id) => known.get(id) ?? []),
      },
    };
  },
  preferences: (parts) => ({ ...parts, preferences: { ...parts.preferences, findMany: none } }),
  'suppressed addresses and STOP': (parts) => ({
    ...parts,
    suppressions: { ...parts.suppressions, among: async () => new Set(), stopped: async () => new Set() },
  }),
  'rate limits over all processes': (parts) => ({ ...parts, acquireRate: async () => true }),
  'the check for older messages being sent': (parts) => ({
    ...parts,
    deliveries: { ...parts.deliveries, findInFlight: none, announced: none, isBeingAnnounced: async () => false },
  }),
  'wake-ups through Redis, fair queueing': (parts) => {
    const jobs = memoryQueue();
    return { ...parts, jobs, deliveryQueue: jobs.queue };
  },
  'fan-out checkpoints': (parts) => ({
    ...parts,
    facts: { ...parts.facts, saveCheckpoint: async () => {} },
  }),
};
