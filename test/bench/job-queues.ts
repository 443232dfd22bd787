import type { DeliveryGroup, DeliveryQueue } from '../../src/notifications/ports.ts';
import type { QueuedChannel } from '../../src/people/channels.ts';
import type { QueueSettings } from '../../src/queues/connection.ts';
import { consumer } from '../../src/queues/consumer.ts';
import { QUEUE_OF } from '../../src/queues/names.ts';
import { type DeliveryPayload, readDeliveryPayload } from '../../src/queues/payloads.ts';
import { publisher } from '../../src/queues/publisher.ts';

/** The queue between a fan-out and a channel worker: groups of delivery ids. */
export type JobQueue = {
  queue: DeliveryQueue;
  /** Processes groups from now on; `work` returns the unfinished ids of a group. @returns stops it */
  open(channel: QueuedChannel, slots: number, work: Work): Promise<() => Promise<void>>;
};

type Work = (ids: string[]) => Promise<string[]>;

/**
 * The product's queue in Redis. It is not refilled: it has capacity for all messages of a benchmark, and a refill would add
 * rows again that a benchmark leaves unchanged.
 */
export function redisQueue(settings: QueueSettings): JobQueue {
  const { deliveryQueue: queue } = publisher(settings);
  const works = new Map<QueuedChannel, Work>();
  return {
    queue: {
      ...queue,
      // The product would find lost rows in MongoDB; a benchmark has no refill.
      add: (...added) => queue.add(...added).catch(end),
    },
    async open(channel, slots, work) {
      const isNew = !works.has(channel);
      works.set(channel, work);
      if (isNew)
        consumer<DeliveryPayload>({
          queue: QUEUE_OF[channel],
          priority: 'urgent',
          settings,
          concurrency: slots,
          read: readDeliveryPayload,
          async work(payload) {
            const left = (await works.get(channel)?.(payload.ids)) ?? [];
            return left.length > 0 ? { ...payload, ids: left } : undefined;
          },
          log: (event, details) => console.error(event, details),
        });
      return async () => {};
    },
  };
}

function end(error: unknown): void {
  console.error(error);
  process.exit(1);
}

/** A queue in this process. */
export function memoryQueue(): JobQueue {
  const groups: DeliveryGroup[] = [];
  let wake = () => {};
  return {
    queue: {
      add: async (_, more) => {
        groups.push(...more);
        wake();
      },
      depth: async () => ({ urgent: 0, bulk: 0, active: 0, later: 0 }),
    },
    async open(_, slots, work) {
      let isOpen = true;
      let added = Promise.resolve();
      const renew = () => {
        added = new Promise((resolve) => {
          wake = () => {
            renew();
            resolve();
          };
        });
      };
      renew();
      const slot = async () => {
        while (isOpen) {
          const next = groups.shift();
          if (!next) await added;
          else for (let left = next.ids; left.length > 0; ) left = await work(left);
        }
      };
      const working = Array.from({ length: slots }, slot);
      return async () => {
        isOpen = false;
        wake();
        await Promise.all(working);
      };
    },
  };
}
