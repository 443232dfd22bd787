/** What sets one channel apart. Adapters, texts and settings of a channel stand under its name in their own places. */
export type ChannelDescriptor = {
  /** of its queue and of the worker that consumes it; null: the fan-out stores its messages as sent */
  readonly queue: string | null;
  /** what of a person it needs: an address, a browser that subscribed, or nothing but their id */
  readonly reaches: 'email' | 'phone' | 'subscription' | 'person';
  /** whether its messages have room for the description, a calendar file and a link to unsubscribe */
  readonly isLong: boolean;
  /** whether its messages wake people, so that they wait for the end of quiet hours */
  readonly wakes: boolean;
  /** whether a tenant pays by the part, so that texts are counted and budgeted */
  readonly isPaidByPart: boolean;
  /** a message of unknown outcome is sent again `once`, `until_expired` or `always` (a repeat does no harm), or the provider is asked */
  readonly inDoubt: 'once' | 'ask' | 'until_expired' | 'always';
  /** the channel that takes over what this one cannot deliver, if both were chosen */
  readonly fallback?: 'sms';
  /** groups that one process works on at once, unless settings say otherwise */
  readonly concurrency: number;
  /** messages a second that one process hands over if nothing limits it: to be on the safe side, half of it */
  readonly usualRate: number;
};

/** The channels there are, in the order in which they are shown. Every list of channels follows from this table. */
export const DESCRIPTORS = {
  email: {
    queue: 'email',
    reaches: 'email',
    isLong: true,
    wakes: true,
    isPaidByPart: false,
    inDoubt: 'once',
    // A mail server takes longest to answer, so more mails have to be under way.
    concurrency: 6,
    usualRate: 500,
  },
  sms: {
    queue: 'sms',
    reaches: 'phone',
    isLong: false,
    wakes: true,
    isPaidByPart: true,
    inDoubt: 'ask',
    concurrency: 4,
    usualRate: 50,
  },
  push: {
    queue: 'push',
    reaches: 'subscription',
    isLong: false,
    wakes: true,
    isPaidByPart: false,
    inDoubt: 'until_expired',
    concurrency: 4,
    usualRate: 200,
  },
  in_app: {
    queue: null,
    reaches: 'person',
    isLong: false,
    wakes: false,
    isPaidByPart: false,
    inDoubt: 'always',
    concurrency: 4,
    usualRate: 2_000,
  },
  whatsapp: {
    queue: 'whatsapp',
    reaches: 'phone',
    isLong: false,
    wakes: true,
    isPaidByPart: false,
    inDoubt: 'ask',
    fallback: 'sms',
    concurrency: 4,
    usualRate: 40,
  },
} as const satisfies Record<string, ChannelDescriptor>;

export type Channel = keyof typeof DESCRIPTORS;

export const CHANNELS: readonly Channel[] = Object.keys(DESCRIPTORS) as Channel[];

export const descriptorOf = (channel: Channel): ChannelDescriptor => DESCRIPTORS[channel];

/** The channel and the one that takes over from it. */
export const withFallback = (channel: Channel): Channel[] => [
  channel,
  ...[descriptorOf(channel).fallback ?? []].flat(),
];

/** Channels whose messages a worker sends. The others have no queue, since the delivery itself is what people read. */
export type QueuedChannel = { [C in Channel]: (typeof DESCRIPTORS)[C]['queue'] extends null ? never : C }[Channel];

export const isQueued = (channel: Channel): channel is QueuedChannel => descriptorOf(channel).queue !== null;

export const QUEUED_CHANNELS: readonly QueuedChannel[] = CHANNELS.filter(isQueued);

/** One value for each channel. */
export const byChannel = <T>(one: (channel: Channel) => T): Record<Channel, T> =>
  Object.fromEntries(CHANNELS.map((channel) => [channel, one(channel)])) as Record<Channel, T>;
