import type { Priority } from '../core/priority.ts';
import { DESCRIPTORS, QUEUED_CHANNELS, type QueuedChannel } from '../people/channels.ts';

/** Every queue has the name of the worker that consumes it. */
export type QueueName = 'fan-out' | 'waitlist' | (typeof DESCRIPTORS)[QueuedChannel]['queue'];

export const QUEUE_OF = Object.fromEntries(
  QUEUED_CHANNELS.map((channel) => [channel, DESCRIPTORS[channel].queue]),
) as Readonly<Record<QueuedChannel, QueueName>>;

export const QUEUE_NAMES: readonly QueueName[] = ['fan-out', 'waitlist', ...Object.values(QUEUE_OF)];

/** All workers, without the one that runs all of them in one process. */
export type WorkerName = 'relay' | 'clock' | QueueName;
export const WORKERS: readonly WorkerName[] = ['relay', ...QUEUE_NAMES, 'clock'];

/**
 * The name of the BullMQ queue. Each priority has a queue and worker slots of its own, because with BullMQ's priorities
 * within one queue bulk jobs could occupy all slots.
 */
export const queueNameOf = (queue: QueueName, priority: Priority): string =>
  priority === 'urgent' ? `${queue}-urgent` : queue;
