import { defineWorker } from '../src/app/define-worker.ts';
import { openLoops } from '../src/app/loop.ts';
import { openWakeUps, publishAfterCommit } from '../src/app/queues.ts';
import { openStores } from '../src/app/stores.ts';
import { resumeWaitlists } from '../src/registrations/seats/promote.ts';

/** Events per round. */
const EVENTS = 100;

/**
 * Promotes people from the waitlist when many seats become free, e.g. after a raised capacity. Any number of copies may run.
 */
export const waitlist = defineWorker({
  name: 'waitlist',
  needs: ['mongo', 'redis'],
  async start(context) {
    const stores = await openStores(context);
    await publishAfterCommit(context);
    const resume = async () => {
      for (const { event_id, promoted } of await resumeWaitlists(stores, EVENTS))
        context.log.info({ eventId: event_id, promoted }, 'waitlist.promoted');
      return null;
    };
    openLoops(context, stores, openWakeUps(context)).whenDue('free seats', resume);
  },
});
