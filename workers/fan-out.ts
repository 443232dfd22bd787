import { setTimeout as delay } from 'node:timers/promises';
import { fanOut } from '../src/notifications/fan-out.ts';
import { consumeBothLanes } from '../src/queues/both-lanes.ts';
import { type FactPayload, readFactPayload } from '../src/queues/payloads.ts';
import { rightOfWay } from '../src/queues/right-of-way.ts';
import { openEpoch } from '../src/wiring/epoch.ts';
import { openChannels } from '../src/wiring/open-channels.ts';
import { openQueues } from '../src/wiring/queues.ts';
import { openStores } from '../src/wiring/stores.ts';
import { defineWorker } from '../src/worker.ts';

/** Facts worked on at once. */
const SLOTS = { urgent: 8, bulk: 8 } as const;

/** Facts become deliveries: one row per person and channel. */
export const fanOutWorker = defineWorker({
  name: 'fan-out',
  needs: ['mongo', 'redis', 'email', 'sms', 'push'],
  async start(context) {
    const { log, own } = context;
    const stores = await openStores(context);
    const queues = await openQueues(context);
    const way = rightOfWay();
    const pause = (ms: number) => delay(ms);
    const deps = { ...stores, ...queues, openChannels: openChannels(context), pause, giveWay: way.give };
    const { guard } = await openEpoch(context);
    const work = async (payload: FactPayload) => {
      const { rows, left } = await fanOut(deps, payload.factId);
      if (rows > 0) log.info({ factId: payload.factId, rows }, 'fact.fanned_out');
      return left ? payload : undefined;
    };
    const lanes = consumeBothLanes((lane) => ({
      queue: 'fan-out',
      settings: queues.settings,
      concurrency: SLOTS[lane],
      read: readFactPayload,
      work: guard(lane === 'urgent' ? (payload: FactPayload) => way.take(() => work(payload)) : work),
      log: (event, details) => log.warn(details, event),
    }));
    own({ name: 'fan-out', ...lanes });
  },
});
