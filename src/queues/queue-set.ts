import { Queue } from 'bullmq';
import type { Priority } from '../core/priority.ts';
import { producerConnection, type QueueSettings, within } from './connection.ts';
import { type QueueName, queueNameOf } from './names.ts';

const CLOSE_WITHIN_MS = 1_000;

/** The queues of an installation over one connection, each opened at its first use. */
export function queueSet(settings: QueueSettings) {
  const connection = producerConnection(settings);
  const opened = new Map<string, Queue>();
  return {
    connection,
    queue(of: QueueName, priority: Priority): Queue {
      const name = queueNameOf(of, priority);
      const known = opened.get(name);
      if (known) return known;
      const queue = new Queue(name, {
        connection,
        prefix: settings.prefix,
        skipWaitingForReady: true,
        // The check would fail without Redis, and a queue whose first command fails refuses every later one.
        skipVersionCheck: true,
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      });
      queue.on('error', () => {});
      opened.set(name, queue);
      return queue;
    },
    async close() {
      for (const queue of opened.values()) await within(CLOSE_WITHIN_MS, queue.close()).catch(() => {});
      connection.disconnect();
    },
  };
}
