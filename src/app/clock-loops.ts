import { makeDueMoves } from '../events/pass-time.ts';
import { rederiveInstants } from '../events/rederive.ts';
import { CLOCK_ACTIONS } from '../events/rules/due.ts';
import { expireDeliveries } from '../notifications/delivery/expire.ts';
import { forgetOld, type KeptDays, type RetentionCursor } from '../privacy/retention.ts';
import { type AuditCursor, auditPlans } from '../reminders/audit.ts';
import { AHEAD_MS, raiseDue } from '../reminders/raise-due.ts';
import { loop } from './loop.ts';
import type { Part, ProcessContext } from './process.ts';
import type { RestoreGuard } from './restore-guard.ts';
import type { Stores } from './stores.ts';

/** The shortest pause between two rounds, so that work due in the same moment is found together. */
const SHORTEST_MS = 20;

/** One kind of scheduled work, and when its next item is due. */
type Round = { name: string; work(signal: AbortSignal): Promise<number>; nextDue?: () => Promise<Date | null> };

/**
 * One loop per kind of work, so that a hundred thousand starts don't delay a reminder. Each sleeps until its next work is
 * due, at most TICK_MS, so that work planned meanwhile by other processes is found.
 */
export function clockLoops(
  { config, log }: Pick<ProcessContext, 'config' | 'log'>,
  stores: Stores,
  { unlessHalted }: Pick<RestoreGuard, 'unlessHalted'>,
): Part[] {
  const reminders: Round = {
    name: 'reminders',
    work: (signal) => raiseDue(stores, signal),
    nextDue: async () => before(await stores.reminders.nextDue(), AHEAD_MS),
  };
  const moves = CLOCK_ACTIONS.map(
    (action): Round => ({
      name: action,
      work: (signal) => makeDueMoves(stores, action, signal),
      nextDue: () => stores.events.nextDue(action),
    }),
  );
  const expiry: Round = { name: 'expiry', work: (signal) => expireDeliveries(stores, signal) };
  const timed = [reminders, ...moves, expiry].map(({ name, work, nextDue }) =>
    loop({
      name,
      everyMs: config.tickMs,
      log,
      async work(signal) {
        const done = await unlessHalted(work)(signal);
        if (done) log.info({ name, done }, 'clock.worked');
        const next = signal.aborted ? null : await nextDue?.();
        return { inMs: pauseUntil(next ?? null, stores.clock.now(), config.tickMs) };
      },
    }),
  );
  const slow = { everyMs: config.sweepMs, log };
  return [
    ...timed,
    loop({ name: 'plans', ...slow, work: unlessHalted(planRound(log, stores)) }),
    loop({ name: 'retention', ...slow, work: unlessHalted(retentionRound(log, stores, config.keep)) }),
  ];
}

/** Events whose plans are compared in one round; the next round continues after them. */
const PLANS = 500;

/** One round of checking data derived from wall clocks: instants after an update of time zones, and reminder plans. */
function planRound(log: Pick<ProcessContext['log'], 'info' | 'error'>, stores: Stores): () => Promise<void> {
  let after: AuditCursor | null = null;
  return async () => {
    for (const eventId of await rederiveInstants(stores)) log.info({ eventId }, 'event.rederived');
    const { repaired, next } = await auditPlans(stores, after, PLANS);
    after = next;
    for (const eventId of repaired) log.error({ eventId }, 'plan.repaired');
  };
}

/** The pause after all records were checked. */
const REST_MS = 3_600_000;

/** One round of removing old records, with a pause after the last one. */
function retentionRound(log: Pick<ProcessContext['log'], 'info'>, stores: Stores, days: KeptDays) {
  let from: RetentionCursor | null = null;
  let restsUntil = 0;
  return async () => {
    const now = stores.clock.now().getTime();
    if (now < restsUntil) return;
    const { forgotten, next } = await forgetOld(stores, days, from);
    if (Object.keys(forgotten).length > 0) log.info({ forgotten }, 'records.forgotten');
    from = next;
    if (next === null) restsUntil = now + REST_MS;
  };
}

const before = (at: Date | null, ms: number): Date | null => at && new Date(at.getTime() - ms);

/** How long to sleep until the next work is due, within bounds; overdue work was just tried. */
export function pauseUntil(next: Date | null, now: Date, tickMs: number): number {
  if (next === null || next <= now) return tickMs;
  return Math.min(tickMs, Math.max(SHORTEST_MS, next.getTime() - now.getTime()));
}
