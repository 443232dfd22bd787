import type { mongo } from 'mongoose';
import type { Settlement } from '../notifications/ports.ts';
import { LAY_NEWS_OVER } from './delivery-news.ts';

type Plain = { values: Record<string, string>; ids: string[] };
type Sent = Extract<Settlement, { to: 'sent' | 'sent_unconfirmed' }>;

/**
 * The writes that end a try. What was simply sent goes in one write for all, and so does what a provider has given an id;
 * the rest row by row. `holding` is what the rows must still have, so that a writer who lost its claim changes nothing.
 */
export function writesFor(
  settlements: readonly Settlement[],
  holding: object,
  { keepCrashes = false }: { keepCrashes?: boolean } = {},
): mongo.AnyBulkWriteOperation[] {
  const freed = { claim: 1, lease_until: 1, queued_at: 1, ...(keepCrashes ? {} : { crashes: 1 }) } as const;
  /** simply sent, by the provider that has them and the text they are made from */
  const plain = new Map<string, Plain>();
  /** sent in the same way, each under an id of its provider's */
  const named = new Map<string, Sent[]>();
  const writes: mongo.AnyBulkWriteOperation[] = [];
  const freeing = { $unset: [...Object.keys(freed), 'news'] };
  for (const settlement of settlements) {
    const key = settlement.to === 'sent' ? `${settlement.provider ?? ''} ${settlement.template_version ?? ''}` : '';
    if (settlement.to === 'sent' && settlement.provider_id !== null && settlement.detail === null) {
      named.set(key, [...(named.get(key) ?? []), settlement]);
    } else if (settlement.to === 'sent' && settlement.provider_id === null && settlement.detail === null) {
      const { provider, template_version } = settlement;
      const values = { ...(provider ? { provider } : {}), ...(template_version ? { template_version } : {}) };
      const alike: Plain = plain.get(key) ?? { values, ids: [] };
      alike.ids.push(settlement.id);
      plain.set(key, alike);
    } else {
      const filter = { _id: settlement.id as never, ...holding };
      writes.push({ updateOne: { filter, update: [{ $set: valuesOf(settlement) }, LAY_NEWS_OVER, freeing] } });
    }
  }
  for (const alike of named.values()) {
    const [first] = alike;
    if (!first) continue;
    const ids = alike.map(({ id }) => id);
    const provider_ids = alike.map(({ provider_id }) => provider_id);
    const own = { $arrayElemAt: [{ $literal: provider_ids }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] };
    const filter = { _id: { $in: ids as never[] }, ...holding };
    const update = [{ $set: { ...valuesOf(first), provider_id: own } }, LAY_NEWS_OVER, freeing];
    writes.push({ updateMany: { filter, update } });
  }
  for (const { values, ids } of plain.values()) {
    const filter = { _id: { $in: ids as never[] }, ...holding };
    const update = {
      $set: { status: 'sent', ...values },
      $inc: { attempts: 1 },
      $currentDate: { settled_at: true as const },
      $unset: freed,
    };
    writes.push({ updateMany: { filter, update } });
  }
  return writes;
}

function valuesOf(settlement: Settlement): Record<string, unknown> {
  switch (settlement.to) {
    case 'sent':
    case 'sent_unconfirmed':
      return {
        status: settlement.to,
        detail: literal(settlement.detail),
        provider_id: literal(settlement.provider_id),
        ...(settlement.provider ? { provider: literal(settlement.provider) } : {}),
        ...(settlement.template_version ? { template_version: literal(settlement.template_version) } : {}),
        attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] },
        settled_at: '$$NOW',
      };
    case 'skipped':
    case 'failed':
    case 'quarantined':
      return {
        status: settlement.to,
        reason: settlement.reason,
        detail: literal(settlement.detail),
        settled_at: '$$NOW',
      };
    case 'waiting':
    case 'unknown':
      return {
        status: settlement.to,
        due_at: { $add: ['$$NOW', settlement.afterMs] },
        detail: literal(settlement.detail),
        attempts: settlement.attempts,
        errors: settlement.errors,
        repeated: settlement.repeated,
        ...(settlement.provider_id ? { provider_id: literal(settlement.provider_id) } : {}),
        ...(settlement.provider ? { provider: literal(settlement.provider) } : {}),
      };
  }
}

// In a pipeline update a string that starts with `$` would be read as a field path.
const literal = (value: string | null) => ({ $literal: value });
