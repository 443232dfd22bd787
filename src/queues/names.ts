import type { Channel } from '../notifications/policy/trigger.ts';

/** Every queue has the name of the worker that consumes it. */
export const QUEUE_NAMES = ['fan-out', 'waitlist', 'email', 'sms', 'push', 'in-app'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/**
 * Each queue has two lanes with jobs and slots of their own, so that nothing urgent waits for bulk to end. (A priority
 * within one queue would: all slots may be taken.)
 */
export const LANES = ['urgent', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

/** BullMQ's name of a lane. */
export const laneOf = (queue: QueueName, lane: Lane): string => (lane === 'urgent' ? `${queue}-urgent` : queue);

export const QUEUE_OF = { email: 'email', sms: 'sms', push: 'push', in_app: 'in-app' } as const satisfies Record<
  Channel,
  QueueName
>;
