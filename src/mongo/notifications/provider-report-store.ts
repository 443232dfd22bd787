import type { ProviderWord } from '../../notifications/delivery/outcome.ts';
import { COMPLAINT, IN_DIGEST, SENT_STATUSES } from '../../notifications/delivery.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import type { Collection } from '../database.ts';
import type { DeliveryRow } from './delivery-row.ts';

/** What a word of a provider writes; the later stands for more, whatever the order they come in. */
const RANK = { sent: 1, failed: 2, delivered: 3 } as const;

/** A word that came while its message was still being sent: `record` lets it overrule what the worker knows. */
type KeptNews = { rank: number; values: Record<string, unknown> };

/** Laid over a row by whoever ends its try (delivery-writes.ts). */
export const LAY_NEWS_OVER = { $replaceWith: { $mergeObjects: ['$$ROOT', '$news.values'] } };

/** A provider had it: its word may still change what we think became of it. */
const AWAITED = ['unknown', ...SENT_STATUSES] as const;
const HELD = ['claim', 'lease_until', 'queued_at', 'crashes', 'news'];
/** A worker may end a try while this looks; once more and it has. */
const LOOKS = 3;

/** What the delivery store does with the words of providers. */
export function newsOf(
  rows: Collection<DeliveryRow>,
): Pick<DeliveryStore, 'recordProviderReport' | 'failByReport' | 'recordComplaint'> {
  /** Where nobody is sending it. */
  async function settle(id: string, word: ProviderWord): Promise<boolean> {
    // What has arrived has arrived, also by an earlier try; a failed try says nothing about a later one.
    const open = word.arrived
      ? { status: { $in: ['waiting', 'claimed', ...AWAITED] }, fence: { $gte: word.fence } }
      : { status: { $in: AWAITED }, fence: word.fence };
    const filter = { _id: id, ...open, detail: { $ne: 'delivered' } };
    const update = [{ $set: { ...valuesOf(word), settled_at: '$$NOW' } }, { $unset: HELD }];
    return (await rows.updateOne(filter as never, update as never)).matchedCount > 0;
  }

  /** Where a worker is sending it now, and doesn't know yet under which id the provider has it. */
  async function keep(id: string, word: ProviderWord): Promise<boolean> {
    const rank = word.arrived ? (word.detail === 'sent' ? RANK.sent : RANK.delivered) : RANK.failed;
    const filter = { _id: id, status: 'sending', fence: word.arrived ? { $gte: word.fence } : word.fence };
    const isNews = { $gt: [rank, { $ifNull: ['$news.rank', 0] }] };
    const news: KeptNews = { rank, values: { ...valuesOf(word), settled_at: '$$NOW' } };
    const update = [{ $set: { news: { $cond: [isNews, news, '$news'] } } }];
    return (await rows.updateOne(filter as never, update as never)).matchedCount > 0;
  }

  /** What one e-mail told of and counts as sent: several, where they had waited for the same morning. */
  async function inMessage(id: string): Promise<object> {
    const first = await rows.findOne({ _id: id }, { projection: { digest_ids: 1 } });
    const own = { _id: id, digest_id: { $in: [null, id] } };
    const others = { _id: { $in: first?.digest_ids ?? [] }, digest_id: id };
    return { $or: [own, others], status: { $in: AWAITED } };
  }

  return {
    async recordProviderReport(id, word) {
      for (let look = 0; look < LOOKS; look += 1) {
        if ((await settle(id, word)) || (await keep(id, word))) return true;
      }
      return false;
    },

    async failByReport(id, { reason, detail }) {
      const values = { status: 'failed', reason, detail: literal(detail), settled_at: '$$NOW' };
      return (await rows.updateMany((await inMessage(id)) as never, [{ $set: values }] as never)).modifiedCount > 0;
    },

    async recordComplaint(id) {
      // Those it carried go on naming it.
      const carrier = { ...(await inMessage(id)), detail: { $not: new RegExp(`^${IN_DIGEST}`) } };
      return (await rows.updateMany(carrier as never, { $set: { detail: COMPLAINT } })).modifiedCount > 0;
    },
  };
}

const valuesOf = (word: ProviderWord) => ({
  ...(word.arrived ? { status: 'sent', reason: null } : { status: 'failed', reason: word.reason }),
  provider_id: literal(word.provider_id),
  detail: literal(word.detail),
});

// In a pipeline update a string that starts with `$` would be read as a field path.
const literal = (value: string) => ({ $literal: value });
