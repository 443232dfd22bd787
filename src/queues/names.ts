import type { Priority } from '../core/priority.ts';
import type { Channel } from '../notifications/policy/trigger.ts';

/** Every queue has the name of the worker that consumes it. */
export const QUEUE_NAMES = ['fan-out', 'waitlist', 'email', 'sms', 'push', 'in-app'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/**
 * The name of the BullMQ queue. Each priority has a queue and worker slots of its own, because with BullMQ's priorities
 * within one queue bulk jobs could occupy all slots.
 */
export const queueNameOf = (queue: QueueName, priority: Priority): string =>
  priority === 'urgent' ? `${queue}-urgent` : queue;

export const QUEUE_OF = { email: 'email', sms: 'sms', push: 'push', in_app: 'in-app' } as const satisfies Record<
  Channel,
  QueueName
>;
