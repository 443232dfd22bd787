import { texts } from '../src/app/adapters.ts';
import { CHANNEL_NEEDS } from '../src/app/config/config.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { openDirectInboxDeps } from '../src/app/direct-inbox.ts';
import { openChannels } from '../src/app/open-channels.ts';
import { keepTexts } from '../src/app/pinned-texts.ts';
import { openQueues } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openStores } from '../src/app/stores.ts';
import { fanOut } from '../src/notifications/fan-out/fan-out.ts';
import { consumeBothPriorities } from '../src/queues/both-priorities.ts';
import { type FactPayload, readFactPayload } from '../src/queues/payloads.ts';

/** Facts fanned out at the same time. */
const SLOTS = { urgent: 8, bulk: 8 } as const;

/** Fans facts out into deliveries: one row per person and channel. */
export const fanOutWorker = defineWorker({
  name: 'fan-out',
  needs: ['mongo', 'redis', 'links', ...CHANNEL_NEEDS],
  async start(context) {
    const { log, own } = context;
    const stores = await openStores(context);
    const queues = await openQueues(context);
    const pinned = await keepTexts(await texts(), stores.texts);
    const open = openChannels(context);
    const inApp = await openDirectInboxDeps(context, stores);
    const deps = { ...stores, ...queues, ...pinned, openChannels: open, inApp };
    const { guard } = await openRestoreGuard(context);
    const work = async (payload: FactPayload): Promise<FactPayload | undefined> => {
      const { factId } = payload;
      const { rows, left } = await fanOut(deps, factId);
      if (rows > 0) log.info({ factId, rows }, 'fact.fanned_out');
      return left ? payload : undefined;
    };
    const consumer = consumeBothPriorities((priority) => ({
      queue: 'fan-out',
      settings: queues.settings,
      concurrency: SLOTS[priority],
      read: readFactPayload,
      work: guard(work),
      log: (event, details) => log.warn(details, event),
    }));
    own({ name: 'fan-out', ...consumer });
  },
});
