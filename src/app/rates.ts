import { USUAL_RATES } from '../notifications/explain/dry-run-time.ts';
import { CHANNELS, type Channel } from '../notifications/policy/trigger.ts';

/** Messages a second to count on: those that are set, else what a worker usually does. */
export const ratesOf = (set: Readonly<Record<Channel, number | null>>): Record<Channel, number> =>
  Object.fromEntries(
    CHANNELS.map((channel) => [channel, Math.min(set[channel] ?? Number.POSITIVE_INFINITY, USUAL_RATES[channel])]),
  ) as Record<Channel, number>;
