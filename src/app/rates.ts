import { byChannel, type Channel, descriptorOf } from '../people/channels.ts';

/** Messages a second to count on: those that are set, else what a worker usually does. */
export const ratesOf = (set: Readonly<Record<Channel, number | null>>): Record<Channel, number> =>
  byChannel((channel) => Math.min(set[channel] ?? Number.POSITIVE_INFINITY, descriptorOf(channel).usualRate));
