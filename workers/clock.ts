import { passTime } from '../src/events/pass-time.ts';
import { loop } from '../src/process.ts';
import { raiseDue } from '../src/reminders/raise-due.ts';
import { openStores } from '../src/wiring/stores.ts';
import { defineWorker } from '../src/worker.ts';

/** What happens because time passes: starts, ends, reminders due. Any number of copies may run. */
export const clock = defineWorker(import.meta.url, {
  name: 'clock',
  needs: ['mongo'],
  async start(context) {
    const { config, log, own } = context;
    const stores = await openStores(context);
    const every = { everyMs: config.tickMs, log };
    own(loop({ name: 'reminders', ...every, work: () => raiseDue(stores) }));
    own(loop({ name: 'starts and ends', ...every, work: () => passTime(stores) }));
  },
});
