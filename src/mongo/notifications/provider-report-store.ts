import type { ProviderReport } from '../../notifications/delivery/outcome.ts';
import { COMPLAINT, IN_DIGEST, SENT_STATUSES } from '../../notifications/delivery.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import type { Collection } from '../database.ts';
import type { DeliveryRow } from './delivery-row.ts';

/** A report of higher rank overrules the others, in any order of arrival. */
const RANK = { sent: 1, failed: 2, delivered: 3 } as const;

/** A report that arrived while its message was being sent; it overrules the worker's result. */
type StoredReport = { rank: number; values: Record<string, unknown> };

/** Applies a stored report when a result is recorded (delivery-writes.ts). */
export const APPLY_STORED_REPORT = { $replaceWith: { $mergeObjects: ['$$ROOT', '$news.values'] } };

/** States in which a provider has the message and its report may change the result. */
const AWAITED = ['unknown', ...SENT_STATUSES] as const;
const LEASE_FIELDS = ['claim', 'lease_until', 'queued_at', 'crashes', 'news'];
/** A worker may record a result between the two updates, so they are repeated. */
const TRIES = 3;

/** Records reports of providers. */
export function providerReports(
  rows: Collection<DeliveryRow>,
): Pick<DeliveryStore, 'recordProviderReport' | 'failByReport' | 'recordComplaint'> {
  /** Records the report if no worker is sending the message. */
  async function apply(id: string, word: ProviderReport): Promise<boolean> {
    // An arrival counts also for an earlier attempt; the failure of an attempt means nothing for a later one.
    const open = word.arrived
      ? { status: { $in: ['waiting', 'claimed', ...AWAITED] }, fence: { $gte: word.fence } }
      : { status: { $in: AWAITED }, fence: word.fence };
    const filter = { _id: id, ...open, detail: { $ne: 'delivered' } };
    const update = [{ $set: { ...valuesOf(word), settled_at: '$$NOW' } }, { $unset: LEASE_FIELDS }];
    return (await rows.updateOne(filter as never, update as never)).matchedCount > 0;
  }

  /** Stores the report on the row while a worker is sending the message. */
  async function store(id: string, word: ProviderReport): Promise<boolean> {
    const rank = word.arrived ? (word.detail === 'sent' ? RANK.sent : RANK.delivered) : RANK.failed;
    const filter = { _id: id, status: 'sending', fence: word.arrived ? { $gte: word.fence } : word.fence };
    const isHigher = { $gt: [rank, { $ifNull: ['$news.rank', 0] }] };
    const news: StoredReport = { rank, values: { ...valuesOf(word), settled_at: '$$NOW' } };
    const update = [{ $set: { news: { $cond: [isHigher, news, '$news'] } } }];
    return (await rows.updateOne(filter as never, update as never)).matchedCount > 0;
  }

  /** Matches the sent deliveries of one e-mail: several if it was a digest. */
  async function ofMessage(id: string): Promise<object> {
    const first = await rows.findOne({ _id: id }, { projection: { digest_ids: 1 } });
    const own = { _id: id, digest_id: { $in: [null, id] } };
    const others = { _id: { $in: first?.digest_ids ?? [] }, digest_id: id };
    return { $or: [own, others], status: { $in: AWAITED } };
  }

  return {
    async recordProviderReport(id, word) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        if ((await apply(id, word)) || (await store(id, word))) return true;
      }
      return false;
    },

    async failByReport(id, { reason, detail }) {
      const values = { status: 'failed', reason, detail: literal(detail), settled_at: '$$NOW' };
      return (await rows.updateMany((await ofMessage(id)) as never, [{ $set: values }] as never)).modifiedCount > 0;
    },

    async recordComplaint(id) {
      // The other members of a digest keep naming it in their detail.
      const first = { ...(await ofMessage(id)), detail: { $not: new RegExp(`^${IN_DIGEST}`) } };
      return (await rows.updateMany(first as never, { $set: { detail: COMPLAINT } })).modifiedCount > 0;
    },
  };
}

const valuesOf = (word: ProviderReport) => ({
  ...(word.arrived ? { status: 'sent', reason: null } : { status: 'failed', reason: word.reason }),
  provider_id: literal(word.provider_id),
  detail: literal(word.detail),
});

// In a pipeline update a string that starts with `$` would be read as a field path.
const literal = (value: string) => ({ $literal: value });
