import { openChannels, texts } from '../src/app/adapters.ts';
import { CHANNEL_NEEDS } from '../src/app/config/config.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { ifDue, openLoops } from '../src/app/loop.ts';
import { openQueues, openWakeUps } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openSending } from '../src/app/sending.ts';
import { openStores } from '../src/app/stores.ts';
import { fanOutTraced } from '../src/app/tracing/traced.ts';
import { localWakeUps } from '../src/core/wake-ups.ts';
import type { Outgoing } from '../src/notifications/content/message.ts';
import { fanOut } from '../src/notifications/fan-out/fan-out.ts';
import { sendDueInApp } from '../src/notifications/fan-out/in-app.ts';
import { asOne } from '../src/queues/consumer.ts';
import { type FactPayload, type QueueName, readFactPayload } from '../src/queues/names.ts';

/** Facts of one priority fanned out at the same time. */
const SLOTS = 8;

/** Fans facts out into deliveries, one row per person and channel. In-app rows are the messages themselves. */
export const fanOutWorker = defineWorker({
  name: 'fan-out',
  needs: ['mongo', 'redis', 'links', ...CHANNEL_NEEDS],
  async start(context) {
    const { config, log, own, tracer } = context;
    const stores = await openStores(context);
    const queues = await openQueues(context);
    const known = await texts();
    // Before the first draft, so that other program versions can send it with the same texts.
    await stores.texts.save(known.all());
    const inAppDue = localWakeUps();
    // Another process tells that staff have retried a message.
    openWakeUps(context).subscribe(inAppDue.notify);
    const deps = {
      ...(await openSending(context, stores)),
      ...queues,
      openChannels: openChannels(context),
      textOf: ({ content, person }: Outgoing) => known.inApp(content).fill(person),
      onInAppDeferred: inAppDue.notify,
    };
    const { guard, guardJobs, isUnchanged } = await openRestoreGuard(context);
    const work = async ({ factId, part }: FactPayload): Promise<undefined> => {
      const { rows, traceId } = tracer
        ? await fanOutTraced(tracer, deps, factId, part)
        : { rows: await fanOut(deps, factId, part), traceId: undefined };
      if (rows > 0) log.info({ factId, part, rows, traceId }, 'fact.fanned_out');
    };
    const consume = (queue: QueueName, concurrency: number) =>
      queues.consume({ queue, concurrency, read: readFactPayload, work: guardJobs(work) });
    const consumers = [consume('fan-out', SLOTS), consume('fan-out-parts', config.fanOutParts)];
    own({ name: 'queue fan-out', ...asOne(consumers) });
    const nextInApp = () => stores.deliveries.findNextDue(['in_app']);
    const sendInApp = guard(() => sendDueInApp({ ...deps, isUnchanged }));
    openLoops(context, stores, inAppDue).whenDue('due in-app', ifDue(stores.clock, nextInApp, sendInApp));
  },
});
