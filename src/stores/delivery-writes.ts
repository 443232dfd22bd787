import type { mongo } from 'mongoose';
import { groupBy } from '../kernel/group-by.ts';
import type { Settlement } from '../notifications/ports.ts';
import { LAY_NEWS_OVER } from './delivery-news.ts';

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
  const freeing = { $unset: [...Object.keys(freed), 'news'] };
  const writes: mongo.AnyBulkWriteOperation[] = [];
  const simply: Sent[] = [];
  for (const settlement of settlements) {
    if (settlement.to === 'sent' && settlement.detail === null) {
      simply.push(settlement);
      continue;
    }
    const filter = { _id: settlement.id as never, ...holding };
    writes.push({ updateOne: { filter, update: [{ $set: valuesOf(settlement) }, LAY_NEWS_OVER, freeing] } });
  }
  const named = simply.filter(({ provider_id }) => provider_id !== null);
  const plain = simply.filter(({ provider_id }) => provider_id === null);
  for (const alike of groupBy(named, madeAndCarriedBy)) {
    const [first] = alike;
    if (!first) continue;
    const ids = alike.map(({ id }) => id);
    const provider_ids = alike.map(({ provider_id }) => provider_id);
    const own = { $arrayElemAt: [{ $literal: provider_ids }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] };
    const filter = { _id: { $in: ids as never[] }, ...holding };
    const update = [{ $set: { ...valuesOf(first), provider_id: own } }, LAY_NEWS_OVER, freeing];
    writes.push({ updateMany: { filter, update } });
  }
  for (const alike of groupBy(plain, madeAndCarriedBy)) {
    const { provider, template_version } = alike[0] ?? {};
    const filter = { _id: { $in: alike.map(({ id }) => id) as never[] }, ...holding };
    const update = {
      $set: {
        status: 'sent',
        ...(provider ? { provider } : {}),
        ...(template_version ? { template_version } : {}),
      },
      $inc: { attempts: 1 },
      $currentDate: { settled_at: true as const },
      $unset: freed,
    };
    writes.push({ updateMany: { filter, update } });
  }
  return writes;
}

/** By the provider that has it and the text it is made from. */
const madeAndCarriedBy = ({ provider, template_version }: Sent): string =>
  `${provider ?? ''} ${template_version ?? ''}`;

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
