import { type Consumer, type ConsumerOptions, consumer } from './consumer.ts';
import { LANES, type Lane } from './names.ts';

/** Works on both lanes of a queue, each with slots of its own; they end together. */
export function consumeBothLanes<Payload extends { tenant_id: string }>(
  optionsOf: (lane: Lane) => Omit<ConsumerOptions<Payload>, 'lane'>,
): Consumer {
  const lanes = LANES.map((lane) => consumer({ lane, ...optionsOf(lane) }));
  return {
    ready: async () => (await Promise.all(lanes.map((one) => one.ready()))).find((answer) => answer !== 'ok') ?? 'ok',
    async close() {
      await Promise.all(lanes.map((one) => one.close()));
    },
  };
}
