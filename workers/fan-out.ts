import { openChannels, texts, textsOf } from '../src/app/adapters.ts';
import { CHANNEL_NEEDS } from '../src/app/config/config.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { deliveryReport } from '../src/app/delivery-report.ts';
import { ifDue, openLoops } from '../src/app/loop.ts';
import { openQueues } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openStores } from '../src/app/stores.ts';
import { fanOutTraced } from '../src/app/tracing/traced.ts';
import { localWakeUps } from '../src/core/wake-ups.ts';
import { loadLinkSecret } from '../src/mongo/people/secret-store.ts';
import type { Outgoing } from '../src/notifications/content/message.ts';
import { cachedContents } from '../src/notifications/delivery/compose.ts';
import { sendDueInApp } from '../src/notifications/fan-out/in-app.ts';
import { signedLinks } from '../src/people/links.ts';
import { asOne, consumeBothPriorities } from '../src/queues/consumer.ts';
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
    const deferred = localWakeUps();
    const deps = {
      ...stores,
      ...queues,
      textVersion: known.version,
      openChannels: openChannels(context),
      links: signedLinks(await loadLinkSecret(stores.database)),
      publicUrl: config.links.publicUrl,
      invites: Boolean(config.email?.replyDomain),
      contentOf: cachedContents(),
      textOf: ({ content, person }: Outgoing) => known.inApp(content).fill(person),
      readyTexts: textsOf(known, stores.texts),
      leaseMs: config.leaseMs,
      report: deliveryReport(context, stores),
      onInAppDeferred: deferred.notify,
    };
    const { guard, guardJobs } = await openRestoreGuard(context);
    const work = async ({ factId, part }: FactPayload): Promise<undefined> => {
      const { rows, traceId } = await fanOutTraced(tracer, deps, factId, part);
      if (rows > 0) log.info({ factId, part, rows, traceId }, 'fact.fanned_out');
    };
    const consume = (queue: QueueName, concurrency: number) =>
      consumeBothPriorities(() => ({
        queue,
        settings: queues.settings,
        concurrency,
        read: readFactPayload,
        work: guardJobs(work),
        log: (event, details) => log.warn(details, event),
      }));
    const consumers = [consume('fan-out', SLOTS), consume('fan-out-parts', config.fanOutParts)];
    own({ name: 'fan-out', ...asOne(consumers) });
    const nextInApp = () => stores.deliveries.nextDue(['in_app']);
    const sendInApp = guard(() => sendDueInApp(deps));
    openLoops(context, stores, deferred).whenDue('due in-app', ifDue(stores.clock, nextInApp, sendInApp));
  },
});
