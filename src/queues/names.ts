import type { Priority } from '../core/priority.ts';
import { DESCRIPTORS, QUEUED_CHANNELS, type QueuedChannel } from '../people/channels.ts';

/** Queues with the name of the worker that consumes them. */
type WorkerQueue = 'fan-out' | (typeof DESCRIPTORS)[QueuedChannel]['queue'];
/** `fan-out-parts`: ranges of facts with many recipients, so that other facts don't wait behind them. */
export type QueueName = WorkerQueue | 'fan-out-parts';

export const QUEUE_OF = Object.fromEntries(
  QUEUED_CHANNELS.map((channel) => [channel, DESCRIPTORS[channel].queue]),
) as Readonly<Record<QueuedChannel, WorkerQueue>>;

const QUEUE_NAMES: readonly WorkerQueue[] = ['fan-out', ...Object.values(QUEUE_OF)];
/** All queues. */
export const QUEUES: readonly QueueName[] = [...QUEUE_NAMES, 'fan-out-parts'];

/** All workers, without the one that runs all of them in one process. */
export type WorkerName = 'relay' | 'clock' | 'waitlist' | 'webhooks' | WorkerQueue;
export const WORKERS: readonly WorkerName[] = ['relay', ...QUEUE_NAMES, 'waitlist', 'webhooks', 'clock'];

/**
 * The name of the BullMQ queue. Each priority has a queue and worker slots of its own, because with BullMQ's priorities
 * within one queue bulk jobs could occupy all slots.
 */
export const queueNameOf = (queue: QueueName, priority: Priority): string =>
  priority === 'urgent' ? `${queue}-urgent` : queue;
