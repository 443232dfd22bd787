import { setTimeout as delay } from 'node:timers/promises';
import { fanOut } from '../src/notifications/fan-out.ts';
import { fanOutTogether } from '../src/notifications/fan-out-together.ts';
import { consumer } from '../src/queues/consumer.ts';
import { readFactPayload } from '../src/queues/payloads.ts';
import { texts } from '../src/wiring/adapters.ts';
import { openEpoch } from '../src/wiring/epoch.ts';
import { openChannels } from '../src/wiring/open-channels.ts';
import { keepTexts } from '../src/wiring/pinned-texts.ts';
import { openQueues } from '../src/wiring/queues.ts';
import { openStores } from '../src/wiring/stores.ts';
import { defineWorker } from '../src/worker.ts';

/** Facts become deliveries: one row per person and channel. */
export const fanOutWorker = defineWorker({
  name: 'fan-out',
  needs: ['mongo', 'redis', 'email', 'sms', 'push'],
  async start(context) {
    const { log, own } = context;
    const stores = await openStores(context);
    const queues = await openQueues(context);
    const pinned = await keepTexts(await texts(), stores.texts);
    const pause = (ms: number) => delay(ms);
    const deps = { ...stores, ...queues, ...pinned, openChannels: openChannels(context), pause };
    const { guard } = await openEpoch(context);
    const work = consumer({
      queue: 'fan-out',
      settings: queues.settings,
      concurrency: 8,
      read: readFactPayload,
      work: guard(async ({ factId, others = [] }) => {
        const together = others.length > 0 ? await fanOutTogether(deps, [factId, ...others]) : null;
        let rows = together?.rows ?? 0;
        for (const id of together?.left ?? [factId]) rows += await fanOut(deps, id);
        if (rows > 0) log.info({ factId, rows, facts: others.length + 1 }, 'fact.fanned_out');
      }),
      log: (event, details) => log.warn(details, event),
    });
    own({ name: 'fan-out', ...work });
  },
});
