import { byId, groupBy } from '../../core/groups.ts';
import { createMicroBatcher } from '../../core/micro-batch.ts';
import type { DeliveryStatus, Reason } from '../../notifications/delivery.ts';
import type { InboxText } from '../../notifications/inbox/entry.ts';
import { type DeliveryResult, resultOfStop } from '../../notifications/policy/retry.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import { retryUntilAnswered } from '../mongo-errors.ts';
import { type Collection, findIds, IS_STRING } from '../rows.ts';
import { type DeliveryRow, deliveriesOf, deliveryOf, literal, switchedTo } from './delivery-row.ts';
import { APPLY_STORED_REPORT } from './provider-report-store.ts';

/** The states in which a result counts: the reconciler may have moved a row with an expired lease to the last three. */
const AWAITS_RESULT: DeliveryStatus[] = ['sending', 'claimed', 'unknown', 'waiting'];

/** A row to lease, with the fence that was read, or to mark as sending, with the fence of its lease. */
type Lease = { id: string; fence: number; claim: string; leaseMs: number };
type Result = { claim: string; result: DeliveryResult };

type Writes = { leases: Lease[]; marks: Lease[]; results: Result[] };

/**
 * The writes of the delivery path, micro-batched: calls made while a command runs join the next one, so that a connection
 * that records a result and marks its next message uses one command. Results come first in a command, so that a connection
 * never has two rows that are sending. Repeats a command until the database answers; a repeated command matches nothing.
 */
export function deliveryLeases(rows: Collection<DeliveryRow>) {
  /** Adds writes to the next command. Resolves to whether every row of the command was changed. */
  const addWrites = createMicroBatcher(
    (): Writes => ({ leases: [], marks: [], results: [] }),
    async ({ leases, marks, results }) => {
      const statements = [...resultStatements(results), ...leaseStatements(leases), ...markStatements(marks)];
      const written = await retryUntilAnswered(() => rows.bulkWrite(statements as never, { ordered: false }));
      return written.modifiedCount === leases.length + marks.length + results.length;
    },
  );

  /** Writes leases or marks. Resolves to the ids of the rows that then have the status. */
  const claimAs =
    (kind: 'leases' | 'marks', status: DeliveryStatus) =>
    async (read: readonly Pick<Lease, 'id' | 'fence'>[], claim: string, leaseMs: number): Promise<string[]> => {
      if (read.length === 0) return [];
      const own = read.map(({ id, fence }) => ({ id, claim, leaseMs, fence }));
      if (await addWrites((writes) => void writes[kind].push(...own))) return idsOf(own);
      return findIds(rows, { _id: inIds(own), claim, status });
    };

  return {
    async findDue(ids, channel, withinMs = 0) {
      const due = { $expr: { $lte: ['$due_at', { $add: ['$$NOW', withinMs] }] } };
      const filter = { _id: { $in: ids }, channel, status: 'waiting', ...due };
      return deliveriesOf(rows.find(filter, { hint: '_id_' }));
    },

    lease: claimAs('leases', 'claimed'),

    markSending: claimAs('marks', 'sending'),

    async record(ended, claim) {
      const own = ended.map((result) => ({ claim, result }));
      if (own.length > 0) await addWrites(({ results }) => void results.push(...own));
    },

    async release(ids, afterMs = 0) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: ids }, status: 'waiting' };
      const due = afterMs > 0 ? { due_at: { $add: ['$$NOW', afterMs] } } : {};
      await retryUntilAnswered(() => rows.updateMany(filter, [{ $set: due }, { $unset: ['queued_at'] }]));
    },
  } satisfies Partial<DeliveryStore>;
}

/**
 * Uses few statements, because each costs as much as ten rows. The messages that were sent share one, whatever their claims:
 * that a message was sent stays true even if another claim of this process has the row by now.
 */
const resultStatements = (results: readonly Result[]): object[] =>
  groupBy(results, ({ claim, result }) => (result.to === 'sent' ? 'sent' : claim)).flatMap((some) =>
    resultWrites(
      some.map(({ result }) => result),
      { claim: inClaims(some), status: { $in: AWAITS_RESULT } },
    ),
  );

/** Marks of several claims share a statement: each row and fence has been leased by one of them only. */
const markStatements = (marks: readonly Lease[]): object[] =>
  groupBy(marks, ({ leaseMs, fence }) => `${leaseMs} ${fence}`).map((alike) => {
    const { leaseMs, fence } = alike[0];
    const held = { _id: inIds(alike), claim: inClaims(alike), fence, status: 'claimed' };
    const filter = { ...held, $expr: { $gt: ['$lease_until', '$$NOW'] } };
    const marked = { status: 'sending', lease_until: { $add: ['$$NOW', leaseMs] } };
    return { updateMany: { filter, update: [{ $set: marked }], hint: '_id_' } };
  });

const leaseStatements = (leases: readonly Lease[]): object[] =>
  groupBy(leases, ({ claim, leaseMs, fence }) => `${claim} ${leaseMs} ${fence}`).map((alike) => {
    const { claim, leaseMs, fence } = alike[0];
    const filter = { _id: inIds(alike), status: 'waiting', fence: fence === 0 ? { $in: [null, 0] } : fence };
    const leased = {
      status: 'claimed',
      claim,
      lease_until: { $add: ['$$NOW', leaseMs] },
      fence: fence + 1,
      crashes: { $add: [{ $ifNull: ['$crashes', 0] }, 1] },
    };
    return { updateMany: { filter, update: [{ $set: leased }], hint: '_id_' } };
  });

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const inIds = (rows: readonly { id: string }[]) => ({ $in: idsOf(rows) });
const inClaims = (rows: readonly { claim: string }[]) => ({ $in: [...new Set(rows.map(({ claim }) => claim))] });

/**
 * The writes that record results, one for all that are alike. `holding`: fields that the rows must still have, so that a
 * writer that lost its claim changes nothing.
 */
export function resultWrites(
  results: readonly DeliveryResult[],
  holding: object,
  { byReconciler = false }: { byReconciler?: boolean } = {},
): object[] {
  // The reconciler keeps the claim, because the worker that holds it may still report the true result.
  const freed = ['lease_until', 'queued_at', 'news', ...(byReconciler ? [] : ['claim', 'crashes'])];
  return groupBy(results, withoutIds).map((alike) => {
    const filter = { ...holding, _id: inIds(alike) };
    const values = { ...valuesOf(alike[0]), ...providerIdsOf(alike) };
    return { updateMany: { filter, update: [{ $set: values }, APPLY_STORED_REPORT, { $unset: freed }] } };
  });
}

/** Stops messages that wait, as the gate does; one that may have arrived already is recorded as sent. @returns how many */
export async function stopWaiting(
  rows: Collection<DeliveryRow>,
  filter: object,
  reason: Reason,
  options: { hint?: string; limit?: number } = {},
): Promise<number> {
  const waiting = { ...filter, status: 'waiting' };
  const found = await rows.find(waiting, options).toArray();
  if (found.length === 0) return 0;
  const results = found.map((row) => resultOfStop(deliveryOf(row), reason));
  const writes = resultWrites(results, waiting, { byReconciler: true });
  return (await rows.bulkWrite(writes, { ordered: false })).modifiedCount;
}

const providerIdOf = (result: DeliveryResult) => ('provider_id' in result && result.provider_id) || null;

const withoutIds = (result: DeliveryResult): string =>
  JSON.stringify({ ...result, id: null, provider_id: providerIdOf(result) !== null });

/** Each row's own id of its provider, if the results have one. */
function providerIdsOf(alike: readonly DeliveryResult[]): object {
  const provider_ids = alike.map(providerIdOf);
  if (provider_ids[0] === null) return {};
  const at = { $indexOfArray: [{ $literal: idsOf(alike) }, '$_id'] };
  return { provider_id: { $arrayElemAt: [{ $literal: provider_ids }, at] } };
}

function valuesOf(result: DeliveryResult): Record<string, unknown> {
  const attempts = result.attempts === undefined ? {} : { attempts: result.attempts };
  const shared = { status: result.to, detail: literal(result.detail), ...attempts };
  if ('reason' in result) return { ...shared, reason: result.reason, settled_at: '$$NOW' };
  const provider = result.provider ? { provider: literal(result.provider) } : {};
  if ('afterMs' in result) {
    const { afterMs, errors, repeated, channel, deferral } = result;
    const due_at = { $add: ['$$NOW', afterMs] };
    return { ...shared, due_at, errors, repeated, ...provider, ...(channel ? switchedTo(channel) : {}), ...deferral };
  }
  return {
    ...shared,
    ...provider,
    provider_id: null,
    ...(result.template_version ? { template_version: literal(result.template_version) } : {}),
    ...(result.text ? entryValuesOf(result.text) : {}),
    settled_at: '$$NOW',
  };
}

const entryValuesOf = ({ title, body }: InboxText) => ({
  title: literal(title),
  body: literal(body),
  arrived: '$$CLUSTER_TIME',
});

/** Stored digests: every member names its digest, the first member lists all of them. */
export function deliveryDigests(rows: Collection<DeliveryRow>) {
  return {
    async findDueDigestMembers(keys, channel) {
      const held = { digest_key: { $in: keys, ...IS_STRING }, status: 'waiting' };
      const due = { $expr: { $lte: ['$due_at', '$$NOW'] } };
      return deliveriesOf(rows.find({ ...held, channel, digest_id: null, ...due }, { hint: 'held' }));
    },

    async createDigests(digests, claim) {
      const ours = { claim, status: 'claimed' };
      // The list first, so that no row names a digest whose members are unknown.
      const lists = digests.map(([first = '', ...others]) => ({
        updateOne: {
          filter: { _id: first, ...ours },
          update: { $set: { digest_id: first, digest_ids: [first, ...others] } },
        },
      }));
      const members = digests.flatMap(([first = '', ...others]) =>
        others.length === 0
          ? []
          : [{ updateMany: { filter: { _id: { $in: others }, ...ours }, update: { $set: { digest_id: first } } } }],
      );
      const { matchedCount } = await rows.bulkWrite([...lists, ...members], { ordered: true });
      if (matchedCount === digests.flat().length) return digests.map(([first = '']) => first);
      const ids = new Set(await findIds(rows, { _id: { $in: digests.flat() }, ...ours }));
      return digests.filter((digest) => digest.every((id) => ids.has(id))).map(([first = '']) => first);
    },

    async loadDigests(digest_ids) {
      const lists = await rows
        .find({ _id: { $in: [...new Set(digest_ids)] } }, { projection: { digest_ids: 1 } })
        .toArray();
      const ids = lists.flatMap((row) => row.digest_ids ?? []);
      const members = byId(ids.length === 0 ? [] : await deliveriesOf(rows.find({ _id: { $in: ids } })));
      return new Map(
        lists.flatMap(({ _id, digest_ids }) =>
          digest_ids ? [[_id, digest_ids.flatMap((id) => members.get(id) ?? [])] as const] : [],
        ),
      );
    },
  } satisfies Partial<DeliveryStore>;
}
