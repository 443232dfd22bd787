import { fromKeys } from '../core/objects.ts';

/** The properties of a channel. Its adapter, texts and settings have the channel's name in their own folders. */
type ChannelDescriptor = {
  /** the name of its queue and its worker; null: the fan-out stores its messages as sent */
  readonly queue: string | null;
  /** the address it sends to: an e-mail address, a phone number, a subscribed browser, or the person's id */
  readonly reaches: 'email' | 'phone' | 'subscription' | 'person';
  /** its messages contain the description, a calendar file and a link to unsubscribe */
  readonly isLong?: true;
  /** its messages wake people: quiet hours defer those */
  readonly wakes?: true;
  /** tenants pay by the part: its parts are counted and limited */
  readonly isPaidByPart?: true;
  /** after an unknown outcome the message is sent again `once`, `until_expired` or `always`, or the provider is asked */
  readonly inDoubt: 'once' | 'ask' | 'until_expired' | 'always';
  /** the channel that takes over undeliverable messages, if both are chosen */
  readonly fallback?: 'sms';
  /** a cautious estimate of messages a second per process without a rate limit */
  readonly usualRate: number;
};

/** All channels, in the order in which lists show them. Every list of channels follows from this table. */
export const DESCRIPTORS = {
  email: { queue: 'email', reaches: 'email', isLong: true, wakes: true, inDoubt: 'once', usualRate: 500 },
  sms: { queue: 'sms', reaches: 'phone', wakes: true, isPaidByPart: true, inDoubt: 'ask', usualRate: 50 },
  push: { queue: 'push', reaches: 'subscription', wakes: true, inDoubt: 'until_expired', usualRate: 200 },
  in_app: { queue: null, reaches: 'person', inDoubt: 'always', usualRate: 2_000 },
  whatsapp: { queue: 'whatsapp', reaches: 'phone', wakes: true, inDoubt: 'ask', fallback: 'sms', usualRate: 40 },
} as const satisfies Record<string, ChannelDescriptor>;

export type Channel = keyof typeof DESCRIPTORS;

export const CHANNELS: readonly Channel[] = Object.keys(DESCRIPTORS) as Channel[];

export const descriptorOf = (channel: Channel): ChannelDescriptor => DESCRIPTORS[channel];

/** The channel and the one that takes over from it. */
export function withFallback(channel: Channel): Channel[] {
  const { fallback } = descriptorOf(channel);
  return fallback ? [channel, fallback] : [channel];
}

/** Channels whose messages a worker sends. The others have no queue, because people read the delivery itself. */
export type QueuedChannel = { [C in Channel]: (typeof DESCRIPTORS)[C]['queue'] extends null ? never : C }[Channel];

export const isQueued = (channel: Channel): channel is QueuedChannel => descriptorOf(channel).queue !== null;

export const QUEUED_CHANNELS: readonly QueuedChannel[] = CHANNELS.filter(isQueued);

/** An object with one value for each channel. */
export const byChannel = <T>(one: (channel: Channel) => T): Record<Channel, T> => fromKeys(CHANNELS, one);
