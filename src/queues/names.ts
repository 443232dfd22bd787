import type { Channel } from '../notifications/trigger.ts';

/** Every queue has the name of the worker that consumes it. */
export const QUEUE_NAMES = ['fan-out', 'waitlist', 'email', 'sms', 'push', 'in-app'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export const QUEUE_OF = { email: 'email', sms: 'sms', push: 'push', in_app: 'in-app' } as const satisfies Record<
  Channel,
  QueueName
>;
