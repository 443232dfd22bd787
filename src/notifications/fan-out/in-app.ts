import { groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import type { Scope } from '../../people/caller.ts';
import type { PreferenceStore } from '../../people/ports.ts';
import type { Outgoing } from '../content/message.ts';
import { type Consent, type Decision, type EvaluateDeps, evaluate } from '../delivery/evaluate.ts';
import type { Delivery } from '../delivery.ts';
import { resultOf } from '../policy/retry.ts';
import type { DeliveryResult, DeliveryStore, InboxStore, InboxText } from '../ports.ts';

export type InAppDeps = EvaluateDeps & {
  preferences: Pick<PreferenceStore, 'findMany'>;
  inbox: Pick<InboxStore, 'signalArrivals'>;
  /** @throws if the text can't be rendered */
  textOf(message: Outgoing): InboxText;
  /** One named event per result; never an address or a text. */
  report(result: DeliveryResult, delivery: Delivery): void;
};

/** In-app messages that wait although they are due, sent at a time. */
const BATCH = 500;

/**
 * Completes drafts of in-app messages that are due: gate → render. The delivery is the message, so the fan-out stores it
 * with its final status. If its text can't be rendered it is stored as waiting, with the error, for `sendDueInApp`.
 * @param wishes opt-outs by person, if known
 * @returns all drafts, and the results of those that are due by id
 */
export async function completeInApp(
  deps: InAppDeps,
  drafts: readonly Delivery[],
  now: Date,
  wishes?: Consent['wishes'],
): Promise<{ rows: readonly Delivery[]; results: ReadonlyMap<string, DeliveryResult> }> {
  const isDue = ({ channel, status, due_at }: Delivery) =>
    channel === 'in_app' && status === 'waiting' && due_at <= now;
  const results = new Map((await decide(deps, drafts.filter(isDue), wishes)).map((result) => [result.id, result]));
  if (results.size === 0) return { rows: drafts, results };
  const rows = drafts.map((row) => {
    const result = results.get(row.id);
    return result ? completed(row, result, now) : row;
  });
  return { rows, results };
}

function completed(row: Delivery, result: DeliveryResult, now: Date): Delivery {
  switch (result.to) {
    case 'waiting':
    case 'unknown': {
      const { afterMs, detail, errors } = result;
      return { ...row, due_at: new Date(now.getTime() + afterMs), detail, errors };
    }
    case 'sent':
    case 'sent_unconfirmed':
      return { ...row, status: 'sent', attempts: 1, settled_at: now, ...result.text };
    default:
      return { ...row, status: result.to, reason: result.reason, settled_at: now };
  }
}

/**
 * Sends in-app messages that were not final when they were stored: changes and reminders that were not due, texts that
 * failed, and messages that staff retried. Any number of processes may run it, because each row is leased.
 * @returns how many were recorded
 */
export async function sendDueInApp(
  deps: InAppDeps & {
    deliveries: Pick<DeliveryStore, 'findDueInApp' | 'lease' | 'record'>;
    /** Loads the versions of texts that these rows were drafted with, if this program has others. */
    readyTexts(rows: readonly Delivery[]): Promise<void>;
    leaseMs: number;
  },
): Promise<number> {
  const { deliveries, leaseMs } = deps;
  for (let recorded = 0; ; ) {
    const due = await deliveries.findDueInApp(BATCH);
    const claim = newId();
    const leased = new Set(due.length > 0 ? await deliveries.lease(due, claim, leaseMs) : []);
    const ours = due.filter(({ id }) => leased.has(id));
    for (const rows of groupBy(ours, ({ tenant_id, school_id }) => `${tenant_id}\n${school_id}`)) {
      await deps.readyTexts(rows);
      const results = await decide(deps, rows);
      await deliveries.record(results, claim);
      const byId = new Map(rows.map((row) => [row.id, row]));
      const reported = results.flatMap((result) => ({ result, row: byId.get(result.id) as Delivery }));
      await deps.inbox.signalArrivals(reported.flatMap(({ result, row }) => (result.to === 'sent' ? row : [])));
      for (const { result, row } of reported) deps.report(result, row);
    }
    recorded += ours.length;
    if (due.length < BATCH) return recorded;
  }
}

/** @param rows of one school */
async function decide(
  deps: InAppDeps,
  rows: readonly Delivery[],
  known?: Consent['wishes'],
): Promise<DeliveryResult[]> {
  const [first] = rows;
  if (!first) return [];
  const wishes = known ?? (await loadWishes(deps, first, rows));
  const decisions = await evaluate(deps, rows, { wishes, suppressed: new Set() });
  const now = deps.clock.now();
  return decisions.map((decision) => resultOfDecision(deps, decision, now));
}

async function loadWishes(
  { preferences }: InAppDeps,
  scope: Scope,
  rows: readonly Delivery[],
): Promise<Consent['wishes']> {
  const found = await preferences.findMany(scope, [...new Set(rows.map((row) => row.user_id))]);
  return new Map(found.map((row) => [row.user_id, row.opted_out]));
}

function resultOfDecision(deps: InAppDeps, { row, stop, message, fault }: Decision, now: Date): DeliveryResult {
  if (stop) return stop;
  const text = message && renderedText(deps, message);
  if (text) return { to: 'sent', id: row.id, provider_id: null, detail: null, text };
  const outcome = fault ?? { kind: 'unclassified', detail: 'in_app text' };
  return resultOf(row, outcome, { now, random: 0.5, leaseMs: 0 });
}

function renderedText({ textOf }: InAppDeps, message: Outgoing): InboxText | null {
  try {
    return textOf(message);
  } catch {
    return null;
  }
}
