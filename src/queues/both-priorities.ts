import { PRIORITIES, type Priority } from '../core/priority.ts';
import { type Consumer, type ConsumerOptions, consumer } from './consumer.ts';

/** Consumes both priorities of a queue, each with its own slots; closes them together. */
export function consumeBothPriorities<Payload extends { tenant_id: string }>(
  optionsOf: (priority: Priority) => Omit<ConsumerOptions<Payload>, 'priority'>,
): Consumer {
  const consumers = PRIORITIES.map((priority) => consumer({ priority, ...optionsOf(priority) }));
  return {
    ready: async () =>
      (await Promise.all(consumers.map((one) => one.ready()))).find((answer) => answer !== 'ok') ?? 'ok',
    async close() {
      await Promise.all(consumers.map((one) => one.close()));
    },
  };
}
