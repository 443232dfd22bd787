import type { mongo } from 'mongoose';
import { groupBy } from '../../core/group-by.ts';
import type { DeliveryResult } from '../../notifications/ports.ts';
import { LAY_NEWS_OVER } from './provider-report-store.ts';

type Sent = Extract<DeliveryResult, { to: 'sent' | 'sent_unconfirmed' }>;

/**
 * The writes that end a try. What was simply sent goes in one write for all, and so does what a provider has given an id;
 * the rest row by row. `holding` is what the rows must still have, so that a writer who lost its claim changes nothing.
 */
export function writesFor(
  results: readonly DeliveryResult[],
  holding: object,
  { byReconciler = false }: { byReconciler?: boolean } = {},
): mongo.AnyBulkWriteOperation[] {
  // What the reconciler writes is no orderly end, and the worker that held the row may know better.
  const freed = { lease_until: 1, queued_at: 1, ...(byReconciler ? {} : { claim: 1, crashes: 1 }) } as const;
  const freeing = { $unset: [...Object.keys(freed), 'news'] };
  const writes: mongo.AnyBulkWriteOperation[] = [];
  const simply: Sent[] = [];
  for (const result of results) {
    if (result.to === 'sent' && result.detail === null) {
      simply.push(result);
      continue;
    }
    const filter = { _id: result.id as never, ...holding };
    writes.push({ updateOne: { filter, update: [{ $set: valuesOf(result) }, LAY_NEWS_OVER, freeing] } });
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

function valuesOf(result: DeliveryResult): Record<string, unknown> {
  switch (result.to) {
    case 'sent':
    case 'sent_unconfirmed':
      return {
        status: result.to,
        detail: literal(result.detail),
        provider_id: literal(result.provider_id),
        ...(result.provider ? { provider: literal(result.provider) } : {}),
        ...(result.template_version ? { template_version: literal(result.template_version) } : {}),
        attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] },
        settled_at: '$$NOW',
      };
    case 'skipped':
    case 'failed':
    case 'quarantined':
      return {
        status: result.to,
        reason: result.reason,
        detail: literal(result.detail),
        settled_at: '$$NOW',
      };
    case 'waiting':
    case 'unknown':
      return {
        status: result.to,
        due_at: { $add: ['$$NOW', result.afterMs] },
        detail: literal(result.detail),
        attempts: result.attempts,
        errors: result.errors,
        repeated: result.repeated,
        ...(result.provider_id ? { provider_id: literal(result.provider_id) } : {}),
        ...(result.provider ? { provider: literal(result.provider) } : {}),
      };
  }
}

// In a pipeline update a string that starts with `$` would be read as a field path.
const literal = (value: string | null) => ({ $literal: value });
