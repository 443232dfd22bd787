import { byChannel, type Channel, descriptorOf, isQueued } from '../people/channels.ts';

/** Expected messages per second: the configured rate, else the usual rate of a worker. */
export const ratesOf = (set: Readonly<Record<Channel, number | null>>): Record<Channel, number> =>
  byChannel((channel) =>
    Math.min((isQueued(channel) ? set[channel] : null) ?? Number.POSITIVE_INFINITY, descriptorOf(channel).usualRate),
  );
