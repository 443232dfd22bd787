import type { Moment } from '../core/paging.ts';
import { releaseDue } from '../events/held-change.ts';
import { readDueCalendars } from '../events/outside-calendar.ts';
import { makeDueMoves } from '../events/pass-time.ts';
import { rederiveInstants } from '../events/rederive.ts';
import { CLOCK_ACTIONS } from '../events/rules/lifecycle.ts';
import { removeUnusedFiles } from '../files/remove-unused.ts';
import { foldTallies } from '../mongo/events/event-tallies.ts';
import { expireDeliveries } from '../notifications/delivery/reconcile.ts';
import { calendarReader } from '../outbound/read-calendar.ts';
import { forgetOld, type KeptDays, type RetentionCursor } from '../privacy/retention.ts';
import { auditPlans } from '../reminders/plan-reminders.ts';
import { nextToRaise, raiseDue } from '../reminders/raise-due.ts';
import { openFileStorage } from '../storage/file-storage.ts';
import { ifDue, openLoops } from './loop.ts';
import type { ProcessContext } from './process.ts';
import { openWakeUps } from './queues.ts';
import type { RestoreGuard } from './restore-guard.ts';
import type { Stores } from './stores.ts';

/** One kind of scheduled work, and when its next item is due. */
type Scheduled = { name: string; work(signal: AbortSignal): Promise<number>; nextDue(): Promise<Date | null> };

/** Starts one loop per kind of work, so that a hundred thousand starts don't delay a reminder. */
export function openClockLoops(
  context: ProcessContext<'mongo' | 'redis' | 'files'>,
  stores: Stores,
  { unlessHalted }: Pick<RestoreGuard, 'unlessHalted'>,
): void {
  const { config, log } = context;
  const { whenDue, everySweep } = openLoops(context, stores, openWakeUps(context));
  const scheduled: Scheduled[] = [
    { name: 'reminders', work: (signal) => raiseDue(stores, signal), nextDue: () => nextToRaise(stores) },
    ...CLOCK_ACTIONS.map((action) => ({
      name: action,
      work: (signal: AbortSignal) => makeDueMoves(stores, action, signal),
      nextDue: () => stores.events.nextDue(action),
    })),
    { name: 'held changes', work: (signal) => releaseDue(stores, signal), nextDue: stores.heldChanges.nextDue },
    { name: 'expiry', work: (signal) => expireDeliveries(stores, signal), nextDue: stores.deliveries.nextExpiry },
  ];
  for (const { name, work, nextDue } of scheduled) {
    const round = async (signal: AbortSignal) => {
      const done = await work(signal);
      if (done) log.info({ name, done }, 'clock.worked');
    };
    whenDue(name, unlessHalted(ifDue(stores.clock, nextDue, round)));
  }
  everySweep('statistics', (signal) => foldTallies(stores.database, signal));
  everySweep('plans', unlessHalted(planRound(log, stores)));
  everySweep('retention', unlessHalted(retentionRound(log, stores, config.keep)));
  everySweep('outside calendars', calendarRound(log, stores));
  everySweep('files', unlessHalted(fileRound(log, { ...stores, storage: openFileStorage(config.files) })));
}

/** Events whose plans are compared in one round; the next round continues after them. */
const PLANS = 500;

/** One round of checking data derived from wall clocks: instants after an update of time zones, and reminder plans. */
function planRound(log: Pick<ProcessContext['log'], 'info' | 'error'>, stores: Stores): () => Promise<void> {
  let after: Moment | null = null;
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
const retentionRound = (log: Log, stores: Stores, days: KeptDays) =>
  restingRound<RetentionCursor>(stores.clock, async (from) => {
    const { forgotten, next } = await forgetOld(stores, days, from);
    if (Object.keys(forgotten).length > 0) log.info({ forgotten }, 'records.forgotten');
    return next;
  });

/** One round of reading the outside calendars that are due. */
function calendarRound(log: Pick<ProcessContext['log'], 'info' | 'warn'>, stores: Stores) {
  const read = calendarReader(stores);
  return async (signal: AbortSignal) => {
    for (const { id, problem } of await readDueCalendars(stores, read, signal)) {
      if (problem === null || problem === 'entries_left_out') log.info({ id, problem }, 'calendar.read');
      else log.warn({ id, problem }, 'calendar.unread');
    }
  };
}

/** One round of removing unused files, with a pause after the last one. */
const fileRound = (log: Log, deps: Parameters<typeof removeUnusedFiles>[0]) =>
  restingRound<string>(deps.clock, async (from) => {
    const { removed, next } = await removeUnusedFiles(deps, from);
    if (removed > 0) log.info({ removed }, 'files.removed');
    return next;
  });

type Log = Pick<ProcessContext['log'], 'info'>;

/** Continues where the last round ended; after the end it rests. @param work resolves to its next cursor, null at the end */
function restingRound<Cursor>(clock: Stores['clock'], work: (from: Cursor | null) => Promise<Cursor | null>) {
  let from: Cursor | null = null;
  let restsUntil = 0;
  return async () => {
    const now = clock.now().getTime();
    if (now < restsUntil) return;
    from = await work(from);
    if (from === null) restsUntil = now + REST_MS;
  };
}
