import { createdAtOf } from '../core/ids.ts';
import { PRIORITIES, type Priority } from '../core/priority.ts';
import { SUPPRESSION_KINDS } from '../notifications/providers/suppression.ts';
import { CHANNELS, type Channel } from '../people/channels.ts';
import type { Database } from './database.ts';
import { lateSince } from './notifications/delivery-row.ts';
import { UNFINISHED } from './stored-rows.ts';

const FACT_STATES = ['unpublished', 'published'] as const;
type FactState = (typeof FACT_STATES)[number];

const MOST = 100_000;
/** A message that waits for its provider is due again within this time; those of quiet hours are not read. */
const RETRIED_WITHIN_MS = 120_000;
const LIMITS = { maxTimeMS: 3_000 };
const CAPPED = { $limit: MOST };

/**
 * Reads what waits in all schools, for metrics: messages that are due, in quarantine, addresses that get no messages now, and
 * outbox entries that are not on the queue yet, or on the queue and not processed yet. Each number stops at `MOST`. Reads
 * indexes of open work, so that finished messages cost nothing.
 */
export async function readBacklog({ collection, clock }: Pick<Database, 'collection' | 'clock'>) {
  const at = clock.now();
  type Counted<Key> = { _id: Key; count: number; oldest?: Date; first?: string };
  async function groups<Key>(name: 'deliveries' | 'facts' | 'suppressions', stages: readonly object[], hint?: string) {
    const found = collection(name).aggregate<Counted<Key>>(stages, { ...LIMITS, hint });
    return new Map((await found.toArray()).map((one) => [one._id, one]));
  }

  async function dueOf(channel: Channel, priority: Priority) {
    const soon = new Date(at.getTime() + RETRIED_WITHIN_MS);
    const open = { status: 'waiting', channel, urgent: priority === 'urgent', due_at: { $lte: soon } };
    const count = { $sum: { $cond: [{ $lte: ['$due_at', at] }, 1, 0] } };
    const sum = { $group: { _id: null, count, oldest: { $min: lateSince(at) } } };
    const found = await groups<null>('deliveries', [{ $match: open }, CAPPED, sum], 'waiting');
    const { count: due = 0, oldest = null } = found.get(null) ?? {};
    return { channel, priority, count: due, oldest };
  }

  async function loadQuarantined() {
    const perChannel = { $group: { _id: '$channel', count: { $sum: 1 } } };
    const stages = [{ $match: { status: 'quarantined' } }, CAPPED, perChannel];
    const found = await groups<Channel>('deliveries', stages, 'quarantined');
    return CHANNELS.map((channel) => ({ channel, count: found.get(channel)?.count ?? 0 }));
  }

  async function loadSuppressed() {
    const isBounced = { $gt: ['$until', at] };
    const active = { $or: [{ kind: 'bounced', until: { $gt: at } }, { complained: true }] };
    const kind = { $cond: [isBounced, 'bounced', 'complained'] };
    const perKind = { $group: { _id: { $concat: ['$channel', ' ', kind] }, count: { $sum: 1 } } };
    const found = await groups<string>('suppressions', [{ $match: active }, CAPPED, perKind]);
    return CHANNELS.flatMap((channel) =>
      SUPPRESSION_KINDS.map((kind) => ({ channel, kind, count: found.get(`${channel} ${kind}`)?.count ?? 0 })),
    );
  }

  async function loadFacts() {
    const state = { $cond: [{ $eq: ['$relay', 'handed_on'] }, 'published', 'unpublished'] };
    // The age is that of the id, because a report of another service may be about something that occurred weeks ago.
    const perState = { $group: { _id: state, count: { $sum: 1 }, first: { $min: '$_id' } } };
    const stages = [{ $match: { relay: { $in: UNFINISHED } } }, CAPPED, perState];
    const found = await groups<FactState>('facts', stages, 'unfinished');
    return FACT_STATES.map((state) => {
      const { count = 0, first = '' } = found.get(state) ?? {};
      return { state, count, oldest: createdAtOf(first) };
    });
  }

  const everyQueue = CHANNELS.flatMap((channel) => PRIORITIES.map((priority) => dueOf(channel, priority)));
  const [deliveries, quarantined, suppressed, facts] = await Promise.all([
    Promise.all(everyQueue),
    loadQuarantined(),
    loadSuppressed(),
    loadFacts(),
  ]);
  return { at, deliveries, quarantined, suppressed, facts };
}

export type Backlog = Awaited<ReturnType<typeof readBacklog>>;
