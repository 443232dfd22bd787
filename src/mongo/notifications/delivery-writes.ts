import { groupBy } from '../../core/groups.ts';
import type { DeliveryResult, InboxText } from '../../notifications/ports.ts';
import { literal, movedTo } from './delivery-row.ts';
import { APPLY_STORED_REPORT } from './provider-report-store.ts';

type Sent = Extract<DeliveryResult, { to: 'sent' | 'sent_unconfirmed' }>;

/**
 * The writes that record results: one for all messages sent without a provider id, one for all with an id, and one for each
 * other result. `holding`: fields that the rows must still have, so that a writer that lost its claim changes nothing.
 */
export function resultWrites(
  results: readonly DeliveryResult[],
  holding: object,
  { byReconciler = false }: { byReconciler?: boolean } = {},
): object[] {
  // The reconciler keeps the claim, because the worker that holds it may still report the true result.
  const freed = { lease_until: 1, queued_at: 1, ...(byReconciler ? {} : { claim: 1, crashes: 1 }) } as const;
  const freeing = { $unset: [...Object.keys(freed), 'news'] };
  const writes: object[] = [];
  const sent: Sent[] = [];
  for (const result of results) {
    if (result.to === 'sent' && result.detail === null && !result.text) {
      sent.push(result);
      continue;
    }
    const filter = { _id: result.id, ...holding };
    writes.push({ updateOne: { filter, update: [{ $set: valuesOf(result) }, APPLY_STORED_REPORT, freeing] } });
  }
  const withId = sent.filter(({ provider_id }) => provider_id !== null);
  const withoutId = sent.filter(({ provider_id }) => provider_id === null);
  for (const alike of groupBy(withId, providerAndText)) {
    const [first] = alike;
    if (!first) continue;
    const ids = alike.map(({ id }) => id);
    const provider_ids = alike.map(({ provider_id }) => provider_id);
    const own = { $arrayElemAt: [{ $literal: provider_ids }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] };
    const filter = { _id: { $in: ids }, ...holding };
    const update = [{ $set: { ...valuesOf(first), provider_id: own } }, APPLY_STORED_REPORT, freeing];
    writes.push({ updateMany: { filter, update } });
  }
  for (const alike of groupBy(withoutId, providerAndText)) {
    const { provider, template_version } = alike[0] ?? {};
    const filter = { _id: { $in: alike.map(({ id }) => id) }, ...holding };
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

const providerAndText = ({ provider, template_version }: Sent): string => `${provider ?? ''} ${template_version ?? ''}`;

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
        ...(result.text ? entryValuesOf(result.text) : {}),
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
        ...(result.channel ? movedTo(result.channel) : {}),
        ...(result.provider_id ? { provider_id: literal(result.provider_id) } : {}),
        ...(result.provider ? { provider: literal(result.provider) } : {}),
      };
  }
}

const entryValuesOf = ({ title, body }: InboxText) => ({
  title: literal(title),
  body: literal(body),
  arrived: '$$CLUSTER_TIME',
});
