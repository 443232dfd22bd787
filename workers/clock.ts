import { openClockLoops } from '../src/app/clock-loops.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { publishAfterCommit } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openStores } from '../src/app/stores.ts';

/** Scheduled work: publications, starts, ends, due reminders, expiry. Any number of copies may run. */
export const clock = defineWorker({
  name: 'clock',
  needs: ['mongo', 'redis', 'files'],
  async start(context) {
    const stores = await openStores(context);
    await publishAfterCommit(context);
    openClockLoops(context, stores, await openRestoreGuard(context));
  },
});
