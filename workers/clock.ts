import { defineWorker } from '../src/app/define-worker.ts';
import { openFiles } from '../src/app/files.ts';
import { ifDue, openLoops } from '../src/app/loop.ts';
import type { ProcessContext } from '../src/app/process.ts';
import { openWakeUps, publishAfterCommit } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openStores, type Stores } from '../src/app/stores.ts';
import type { Moment } from '../src/core/paging.ts';
import { readDueCalendars } from '../src/events/outside-calendar.ts';
import { makeDueMoves } from '../src/events/pass-time.ts';
import { rederiveInstants } from '../src/events/rederive.ts';
import { CLOCK_ACTIONS } from '../src/events/rules/lifecycle.ts';
import { releaseDue } from '../src/events/undo-or-release.ts';
import { removeUnusedFiles } from '../src/files/remove-unused.ts';
import { foldTallies } from '../src/mongo/events/event-tallies.ts';
import { expireDeliveries } from '../src/notifications/delivery/reconcile.ts';
import { calendarReader } from '../src/outbound/read-calendar.ts';
import { type KeptDays, type RetentionCursor, removeOldRecords } from '../src/privacy/retention.ts';
import { auditPlans } from '../src/reminders/plan-reminders.ts';
import { findNextToRaise, raiseDue } from '../src/reminders/raise-due.ts';

/**
 * Scheduled work: publications, starts, ends, due reminders, expiry. Any number of copies may run. Each kind of work has a
 * loop, so that a hundred thousand starts don't delay a reminder.
 */
export const clock = defineWorker({
  name: 'clock',
  needs: ['mongo', 'redis', 'files'],
  async start(context) {
    const { config, log } = context;
    const stores = await openStores(context);
    const storage = await openFiles(config.files);
    await publishAfterCommit(context);
    const { unlessHalted } = await openRestoreGuard(context);
    const { whenDue, everySweep } = openLoops(context, stores, openWakeUps(context));
    /** @param work resolves to how many items it has processed */
    const schedule = (
      name: string,
      nextDue: () => Promise<Date | null>,
      work: (deps: Stores, signal: AbortSignal) => Promise<number>,
    ) => {
      const round = async (signal: AbortSignal) => {
        const done = await work(stores, signal);
        if (done) log.info({ name, done }, 'clock.processed');
      };
      whenDue(name, unlessHalted(ifDue(stores.clock, nextDue, round)));
    };
    schedule('reminders', () => findNextToRaise(stores), raiseDue);
    for (const action of CLOCK_ACTIONS) {
      const nextDue = () => stores.events.findNextDue(action);
      schedule(action, nextDue, (deps, signal) => makeDueMoves(deps, action, signal));
    }
    schedule('held changes', stores.heldChanges.findNextDue, releaseDue);
    schedule('expiry', stores.deliveries.findNextExpiry, expireDeliveries);
    everySweep('statistics', (signal) => foldTallies(stores.database, signal));
    everySweep('plans', unlessHalted(planRound(log, stores)));
    everySweep('retention', unlessHalted(retentionRound(log, stores, config.keep)));
    everySweep('outside calendars', calendarRound(log, stores));
    everySweep('files', unlessHalted(fileRound(log, { ...stores, storage })));
  },
});

type Log = ProcessContext['log'];

/** Events whose plans are compared in one round; the next round continues after them. */
const PLANS = 500;

/** One round of checking data derived from wall clocks: instants after an update of time zones, and reminder plans. */
function planRound(log: Log, stores: Stores): () => Promise<void> {
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
    const { removed, next } = await removeOldRecords(stores, days, from);
    if (Object.keys(removed).length > 0) log.info({ removed }, 'records.removed');
    return next;
  });

/** One round of reading the outside calendars that are due. */
function calendarRound(log: Log, stores: Stores) {
  const read = calendarReader(stores);
  return async (signal: AbortSignal) => {
    for (const { id, problem } of await readDueCalendars(stores, read, signal)) {
      if (problem === null || problem === 'entries_left_out') log.info({ id, problem }, 'calendar.read');
      else log.warn({ id, problem }, 'calendar.not_read');
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
