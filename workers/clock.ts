import { clockLoops } from '../src/wiring/clock.ts';
import { publishAfterCommit } from '../src/wiring/queues.ts';
import { openRestoreGuard } from '../src/wiring/restore-guard.ts';
import { openStores } from '../src/wiring/stores.ts';
import { defineWorker } from '../src/worker.ts';

/** What happens because time passes: publications, starts, ends, reminders due, expiry. Any number of copies may run. */
export const clock = defineWorker({
  name: 'clock',
  needs: ['mongo', 'redis'],
  async start(context) {
    const stores = await openStores(context);
    publishAfterCommit(context, stores);
    const guard = await openRestoreGuard(context);
    for (const part of clockLoops(context, stores, guard)) context.own(part);
  },
});
