import { defineWorker } from '../src/app/define-worker.ts';
import { openLoops } from '../src/app/loop.ts';
import { openQueues, publishAfterCommit } from '../src/app/queues.ts';
import { openStores } from '../src/app/stores.ts';
import { consumer } from '../src/queues/consumer.ts';
import { readFactPayload } from '../src/queues/payloads.ts';
import { causeOf, promoteWaiting, resumeWaitlists } from '../src/registrations/promote.ts';

/** Events per round. */
const EVENTS = 100;

/**
 * Promotes people from the waitlist when many seats become free, e.g. after a raised capacity. Woken by the fact, and checks
 * again after each, because a wake-up may be lost. Any number of copies may run.
 */
export const waitlist = defineWorker({
  name: 'waitlist',
  needs: ['mongo', 'redis'],
  async start(context) {
    const { log, own } = context;
    const stores = await openStores(context);
    const { settings, factQueue } = await openQueues(context);
    publishAfterCommit(stores, factQueue);
    const work = consumer({
      queue: 'waitlist',
      priority: 'bulk',
      settings,
      concurrency: 4,
      read: readFactPayload,
      work: async ({ factId }) => {
        const fact = await stores.facts.find(factId);
        if (!fact) return undefined;
        const promoted = await promoteWaiting(stores, fact, fact.event_id, causeOf(fact));
        if (promoted > 0) log.info({ eventId: fact.event_id, promoted }, 'waitlist.promoted');
        return undefined;
      },
      log: (event, details) => log.warn(details, event),
    });
    own({ name: 'waitlist', ...work });
    const resume = async () => {
      for (const { event_id, promoted } of await resumeWaitlists(stores, EVENTS))
        log.info({ eventId: event_id, promoted }, 'waitlist.resumed');
      return null;
    };
    openLoops(context, stores).whenDue('free seats', resume);
  },
});
