import type { Channel } from '../../src/notifications/policy/trigger.ts';
import type { DeliveryGroup, DeliveryQueue } from '../../src/notifications/ports.ts';
import type { QueueSettings } from '../../src/queues/connection.ts';
import { consumer } from '../../src/queues/consumer.ts';
import { QUEUE_OF } from '../../src/queues/names.ts';
import { type DeliveryPayload, readDeliveryPayload } from '../../src/queues/payloads.ts';
import { publisher } from '../../src/queues/publisher.ts';

/** What stands between a fan-out and those who send: groups of ids, worked on some at a time. */
export type Line = {
  queue: DeliveryQueue;
  /** From now on groups are worked on; `work` answers what is left of one. @returns ends it */
  open(channel: Channel, slots: number, work: Work): Promise<() => Promise<void>>;
};

type Work = (ids: string[]) => Promise<string[]>;

/**
 * The product's own, through Redis. Its window isn't topped up here: it holds the few thousand messages of a benchmark, and
 * rows that somebody leaves as they were would come again.
 */
export function redisLine(settings: QueueSettings): Line {
  const { deliveryQueue: queue } = publisher(settings);
  const works = new Map<Channel, Work>();
  return {
    queue: {
      ...queue,
      // The product would find them in MongoDB; here nobody looks.
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

/** An array in this process. */
export function listLine(): Line {
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
