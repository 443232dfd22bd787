import { QUEUED_CHANNELS } from '../../people/channels.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import type { Delivery } from '../delivery.ts';
import { existingDates, gateOfDates, type MaybeDate, type NamedDate } from '../policy/gate.ts';
import { type Lookup, resultOfExpiredLease, resultOfUnknown } from '../policy/retry.ts';
import type { NotificationStores } from '../ports.ts';
import type { ProviderDeps } from './capacity.ts';
import { outgoingOf } from './compose.ts';
import { loadByFact, type SendDeps } from './evaluate.ts';

const BATCH = 500;
const EXPIRED_BATCH = 1_000;
const LOST_IN_BUSY_QUEUE_MS = 60_000;

/**
 * Repairs leases that ran out because a process ended, and wake-ups lost from a busy queue. Any number may run at the same
 * time; a result is written only if the row is unchanged.
 */
export async function reconcileDeliveries(
  deps: NotificationStores & Pick<SendDeps, 'leaseMs' | 'report'>,
): Promise<void> {
  const expired = await deps.deliveries.findExpiredLeases(BATCH);
  const results = expired.map((row) => ({ row, result: resultOfExpiredLease(row, deps.leaseMs) }));
  await deps.deliveries.recordReconciled(results);
  for (const { row, result } of results) deps.report(result, row);
  for (const urgent of [true, false]) await deps.deliveries.requeueLost(QUEUED_CHANNELS, urgent, LOST_IN_BUSY_QUEUE_MS);
}

type AskDeps = SendDeps & Pick<ProviderDeps, 'adapter'>;

/**
 * Ends the wait of deliveries of unknown outcome: asks the provider, if it can be asked, then follows the rule of the
 * channel (`resultOfUnknown`). Those without an answer wait for the next round.
 */
export async function resolveUnknown(deps: AskDeps): Promise<void> {
  const { deliveries, adapter, clock } = deps;
  for (const row of await deliveries.findOverdueUnknown(adapter.channel, BATCH)) {
    const result = resultOfUnknown(row, await lookUp(deps, row).catch(() => 'silent' as const), clock.now());
    if (!result) continue;
    await deliveries.recordReconciled([{ row, result }]);
    deps.report(result, row);
  }
}

/** Asks the provider for the message. @throws Error if the provider does not answer */
async function lookUp(deps: AskDeps, row: Delivery): Promise<Lookup> {
  if (!deps.adapter.find) return 'silent';
  const [messages] = await loadByFact(deps, [row]);
  const registrations = await deps.registrations.findStatuses(row, row.registration_ids);
  const dates = sentDatesOf(row, messages?.dates ?? [], registrations);
  const [first] = dates;
  if (!messages || !first) return 'silent';
  await deps.readyTexts([row]);
  const message = outgoingOf(deps, row, { ...first, dates, school: messages.school, registrations });
  const found = await deps.adapter.find(message, row.created_at);
  // The provider is asked by the text, which may have been another one before an edit.
  const isEdited = dates.some(({ event }) => event.updated_at > row.created_at);
  return found ?? (isEdited ? 'silent' : 'none');
}

/** The dates that the message named when it was sent; if none is true any more, all that its fact names. */
function sentDatesOf(
  row: Delivery,
  all: readonly MaybeDate[],
  registrations: readonly RegistrationState[],
): NamedDate[] {
  const dates = existingDates(all);
  const state = { registrations, preferences: new Map(), suppressed: new Set<string>(), at: row.created_at };
  const { open } = gateOfDates(
    row,
    dates.map((date) => ({ ...date, ...state })),
  );
  return open.length > 0 ? existingDates(open) : dates;
}

/**
 * Skips waiting messages that have become useless as `expired`, whether they wait for a worker, a retry or the end of quiet
 * hours. Any number may run at the same time; the gate does the same for leased messages.
 * @returns how many there were
 */
export async function expireDeliveries(deps: NotificationStores, signal?: AbortSignal): Promise<number> {
  let expired = 0;
  for (;;) {
    const some = await deps.deliveries.expireWaiting(EXPIRED_BATCH);
    expired += some;
    if (some < EXPIRED_BATCH || signal?.aborted) return expired;
  }
}
