import type { SchoolEvent } from '../../src/events/event.ts';
import type { DeliverDeps } from '../../src/notifications/delivery/deliver.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import type { FanOutDeps } from '../../src/notifications/fan-out/fan-out.ts';
import { type Line, listLine } from './lines.ts';

export type Parts = FanOutDeps & DeliverDeps & { line: Line };

const none = async () => [];

/**
 * What is promised, by what stands in place of it here: a port that does nothing. Nothing of this can be set in the
 * product.
 */
export const LEFT_OUT: Readonly<Record<string, (parts: Parts, event: SchoolEvent) => Parts>> = {
  'why somebody was not told': (parts) => {
    const { deliveries } = parts;
    const toldOnly = (rows: readonly Delivery[]) => rows.filter((row) => row.status === 'waiting');
    return { ...parts, deliveries: { ...deliveries, insertMany: (rows) => deliveries.insertMany(toldOnly(rows)) } };
  },
  'lease, fence and `sending` before the wire': (parts) => {
    const { deliveries } = parts;
    const lease: typeof deliveries.lease = async (rows) => rows.map((row) => row.id);
    const markSending: typeof deliveries.markSending = async (ids) => [...ids];
    // What was not leased has no claim that its result could be filtered by.
    const record: typeof deliveries.record = (results) => deliveries.record(results, null as never);
    return { ...parts, deliveries: { ...deliveries, lease, markSending, record } };
  },
  'rows at all (and what rests on them)': (parts) => {
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
        due: async (ids) => ids.flatMap((id) => kept.get(id) ?? []),
        lease: async (rows) => rows.map((row) => row.id),
        markSending: async (ids) => [...ids],
        record: async () => {},
        onTheWire: none,
        announced: none,
      },
    };
  },
  'the look at the event and the registration': (parts, event) => {
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
        standings: async (_, ids) => ids.flatMap((id) => known.get(id) ?? []),
      },
    };
  },
  'what people wish': (parts) => ({ ...parts, preferences: { ...parts.preferences, findMany: none } }),
  'addresses to leave alone, and STOP': (parts) => ({
    ...parts,
    suppressions: { ...parts.suppressions, among: async () => new Set(), stopped: async () => new Set() },
  }),
  'rates over all processes': (parts) => ({ ...parts, takePermits: async () => true }),
  'the last word (nothing older on the wire)': (parts) => ({
    ...parts,
    deliveries: { ...parts.deliveries, onTheWire: none, announced: none, isBeingAnnounced: async () => false },
  }),
  'wake-ups through Redis, tenants in turn': (parts) => {
    const line = listLine();
    return { ...parts, line, deliveryQueue: line.queue };
  },
  'going on where a fan-out ended': (parts) => ({
    ...parts,
    facts: { ...parts.facts, saveCheckpoint: async () => {} },
  }),
};
