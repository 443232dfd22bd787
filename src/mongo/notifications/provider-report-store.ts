import type { ProviderReport } from '../../notifications/channel-adapter.ts';
import { COMPLAINT, IN_DIGEST, SENT_STATUSES } from '../../notifications/delivery.ts';
import { TAKEN_OVER } from '../../notifications/policy/retry.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import type { Database } from '../database.ts';
import type { Collection, Filter } from '../rows.ts';
import { type DeliveryRow, literal, switchedTo } from './delivery-row.ts';

/** A report of higher rank overrules the others, in any order of arrival. */
const RANK = { sent: 1, failed: 2, delivered: 3 } as const;

/** A report that arrived while its message was being sent; it overrules the worker's result. */
type StoredReport = { rank: number; values: object };

/** Applies a stored report when a result is recorded (delivery-lease.ts). */
export const APPLY_STORED_REPORT = { $replaceWith: { $mergeObjects: ['$$ROOT', '$news.values'] } };

/** States in which a provider has the message and its report may change the result. */
const AWAITED = ['unknown', ...SENT_STATUSES] as const;
const LEASE_FIELDS = ['claim', 'lease_until', 'queued_at', 'crashes', 'news'];
/** A worker may record a result between the two updates, so they are repeated. */
const TRIES = 3;

/** Records reports of providers. */
export function providerReports(rows: Collection<DeliveryRow>, { work }: Pick<Database, 'work'>) {
  /** Records the report if no worker is sending the message. */
  async function apply(id: string, report: ProviderReport): Promise<boolean> {
    // An arrival counts also for an earlier attempt; the failure of an attempt means nothing for a later one.
    const failed = report.detail === 'delivered' ? ['failed'] : [];
    const status = { $in: report.arrived ? ['waiting', 'claimed', ...failed, ...AWAITED] : AWAITED };
    const filter = { _id: id, status, ...attemptsOf(report), detail: { $ne: 'delivered' } };
    const update = [{ $replaceWith: { $mergeObjects: ['$$ROOT', valuesOf(report)] } }, { $unset: LEASE_FIELDS }];
    const isApplied = (await rows.updateOne(filter, update)).matchedCount > 0;
    // The message may wait for another channel now.
    if (isApplied && !report.arrived) work.notify();
    return isApplied;
  }

  /** Stores the report on the row while a worker is sending the message. */
  async function store(id: string, report: ProviderReport): Promise<boolean> {
    const rank = report.arrived ? (report.detail === 'sent' ? RANK.sent : RANK.delivered) : RANK.failed;
    const filter = { _id: id, status: 'sending', ...attemptsOf(report) };
    const isHigher = { $gt: [rank, { $ifNull: ['$news.rank', 0] }] };
    const news: StoredReport = { rank, values: valuesOf(report) };
    const update = [{ $set: { news: { $cond: [isHigher, news, '$news'] } } }];
    return (await rows.updateOne(filter, update)).matchedCount > 0;
  }

  /** Matches the sent deliveries of one e-mail: several if it was a digest. */
  async function ofMessage(id: string): Promise<Filter<DeliveryRow>> {
    const first = await rows.findOne({ _id: id }, { projection: { digest_ids: 1 } });
    const own = { _id: id, digest_id: { $in: [null, id] } };
    const others = { _id: { $in: first?.digest_ids ?? [] }, digest_id: id };
    return { $or: [own, others], status: { $in: AWAITED } };
  }

  return {
    async recordProviderReport(id, report) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        if ((await apply(id, report)) || (await store(id, report))) return true;
      }
      return false;
    },

    async failByReport(id, { reason, detail }) {
      const values = { status: 'failed', reason, detail: literal(detail), settled_at: '$$NOW' };
      return (await rows.updateMany(await ofMessage(id), [{ $set: values }])).modifiedCount > 0;
    },

    async recordComplaint(id) {
      // The other members of a digest keep naming it in their detail.
      const first = { ...(await ofMessage(id)), detail: { $not: new RegExp(`^${IN_DIGEST}`) } };
      return (await rows.updateMany(first, { $set: { detail: COMPLAINT } })).modifiedCount > 0;
    },
  } satisfies Partial<DeliveryStore>;
}

/**
 * The attempts for which a report counts: `sent` by a channel means nothing once another channel has taken the message over.
 */
function attemptsOf({ arrived, fence, detail }: ProviderReport): object {
  if (!arrived) return { fence };
  const notMoved = { fallback: { $not: { $type: 'null' } } };
  return { fence: { $gte: fence }, ...(detail === 'delivered' ? {} : { $or: [{ fence }, notMoved] }) };
}

/** The values that a report writes, as an expression over the row: a message with a fallback moves there instead of failing. */
function valuesOf(report: ProviderReport): object {
  const [provider_id, detail] = [literal(report.provider_id), literal(report.detail)];
  if (report.arrived) return { status: 'sent', reason: null, provider_id, detail, settled_at: '$$NOW' };
  const failed = { status: 'failed', reason: report.reason, provider_id, detail, settled_at: '$$NOW' };
  if (!TAKEN_OVER.includes(report.reason)) return failed;
  const moved = { status: 'waiting', due_at: '$$NOW', detail, ...switchedTo('$fallback') };
  return { $cond: [{ $ifNull: ['$fallback', false] }, moved, failed] };
}
