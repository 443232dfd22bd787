import { groupBy, keepLatest } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import type { Tx } from '../../core/transaction.ts';
import type { Fact } from '../../outbox/fact.ts';
import { type Scope, scopeKey, scopeOf } from '../../people/caller.ts';
import type { Attempt, Webhook } from '../../webhooks/webhook.ts';
import { isWebhookType } from '../../webhooks/webhook-types.ts';
import { type Database, inTx } from '../database.ts';
import { type Row, rowOf } from '../rows.ts';

type Subscribed = Pick<Row<Webhook>, '_id' | 'types'>;

/** A process notices a new subscription after this time, so that not every change of an event has to query them. */
const CACHE_MS = 1_000;
const CACHE_SIZE = 1_000;

/**
 * Stores an attempt for each fact and subscription that wants it, in the transaction that records the facts: so neither is
 * there without the other.
 */
export function attemptPlanner(database: Database): (facts: readonly Fact[], tx: Tx) => Promise<void> {
  const loadSubscribed = cachedSubscriptions(database);
  return async (facts, tx) => {
    const wanted = facts.filter(({ type }) => isWebhookType(type));
    const now = database.clock.now();
    const fresh: Row<Attempt>[] = [];
    for (const group of groupBy(wanted, scopeKey)) {
      const subscribed = await loadSubscribed(scopeOf(group[0] as Fact));
      for (const fact of group)
        for (const { _id, types } of subscribed)
          if (types.some((type) => type === fact.type)) fresh.push(rowOf(attemptOf(fact, _id, now)));
    }
    if (fresh.length > 0) await database.collection('webhook_attempts').insertMany(fresh, inTx(tx));
  };
}

function cachedSubscriptions(database: Database): (scope: Scope) => Promise<Subscribed[]> {
  const cache = new Map<string, { found: Promise<Subscribed[]>; until: number }>();
  return (scope) => {
    const key = scopeKey(scope);
    const known = cache.get(key);
    if (known && known.until > performance.now()) return known.found;
    const enabled = { ...scopeOf(scope), enabled: true };
    const found = database
      .collection('webhooks')
      .find(enabled, { projection: { types: 1 } })
      .toArray();
    found.catch(() => cache.delete(key));
    keepLatest(cache, key, { found, until: performance.now() + CACHE_MS }, CACHE_SIZE);
    return found;
  };
}

const attemptOf = (fact: Fact, webhook_id: string, now: Date): Attempt => ({
  ...scopeOf(fact),
  id: newId(),
  webhook_id,
  fact_id: fact.id,
  event_id: fact.event_id,
  user_id: ('user_id' in fact.data && fact.data.user_id) || null,
  type: fact.type as Attempt['type'],
  status: 'pending',
  body: null,
  created_at: now,
  due_at: now,
  fence: 0,
  failures: 0,
  tries: [],
});
