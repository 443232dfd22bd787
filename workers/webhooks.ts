import { counterIn } from '../src/app/counter.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { openLoops } from '../src/app/loop.ts';
import { openWakeUps } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openStores } from '../src/app/stores.ts';
import { webhookPoster } from '../src/outbound/post-webhook.ts';
import { deliverNext } from '../src/webhooks/deliver.ts';

/** The most messages sent to one subscription at a time: few, so that a slow receiver does not hold up others. */
const PER_WEBHOOK = 3;
const OVERALL = 150;

/** Sends facts to the addresses that schools have subscribed. Any number of copies may run. */
export const webhooks = defineWorker({
  name: 'webhooks',
  needs: ['mongo', 'redis', 'webhooks'],
  async start(context) {
    const { config, log, metrics, own } = context;
    const stores = await openStores(context);
    const { guard } = await openRestoreGuard(context);
    const { post, close } = webhookPoster({ timeoutMs: config.sendTimeoutMs, ...config.webhooks });
    const tries = counterIn(metrics, 'schoolbell_webhook_tries_total', 'Tries to send a webhook', ['problem']);
    const deps = {
      ...stores,
      post,
      leaseMs: config.leaseMs,
      report({ id, webhook_id, type, fence }, { status, status_code, problem, ms }) {
        tries.inc({ problem: problem ?? 'none' });
        const details = { attemptId: id, webhookId: webhook_id, type, fence, statusCode: status_code, problem, ms };
        log[problem ? 'info' : 'debug'](details, `webhook.${status}`);
      },
      onWarned: ({ id }) => log.warn({ webhookId: id }, 'webhook.failing'),
      onDisabled: ({ id }, reason) => log.warn({ webhookId: id, reason }, 'webhook.disabled'),
    } satisfies Parameters<typeof deliverNext>[0];

    /** by running task, the subscription that it sends to */
    const running = new Map<Promise<void>, string>();
    const deliver = guard((id: string) => deliverNext(deps, id));
    const stopping = new AbortController();
    const drain = async (id: string) => {
      try {
        for (let isMore = true; isMore && !stopping.signal.aborted; ) isMore = (await deliver(id)) ?? false;
      } catch (error) {
        log.error({ webhookId: id, error }, 'webhook.interrupted');
      }
    };
    own({
      name: 'webhook tasks',
      stop: () => stopping.abort(),
      closeWithinMs: config.sendTimeoutMs,
      close: async () => {
        await Promise.all(running.keys());
        await close();
      },
    });
    openLoops(context, stores, openWakeUps(context)).whenDue('webhooks', async () => {
      const now = stores.clock.now();
      const next = await stores.webhookAttempts.findNextDue();
      for (const { webhook_id, due_at } of next) {
        const own = [...running.values()].filter((id) => id === webhook_id);
        if (due_at > now || own.length >= PER_WEBHOOK || running.size >= OVERALL) continue;
        const task = drain(webhook_id).finally(() => running.delete(task));
        running.set(task, webhook_id);
      }
      // A running try decides when the next one is due.
      return running.size > 0 ? now : (next[0]?.due_at ?? null);
    });
  },
});
