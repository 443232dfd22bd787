import type { Channel } from '../policy/trigger.ts';

/**
 * bounced: the address was refused for good, by a server or by the report that came back · complained: somebody there
 * called a message unwanted. What bounced gets nothing; who complained still gets what is urgent.
 */
export const SUPPRESSION_KINDS = ['bounced', 'complained'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/** An address that must not be used, for everyone in a tenant. */
export type Suppression = {
  id: string;
  channel: Channel;
  address: string;
  kind: SuppressionKind;
  /** the provider's code */
  why: string;
  since: Date;
  /** from then on it is tried again; null: until staff lifts it */
  until: Date | null;
  /** how often it bounced, each time after it had been tried again */
  times: number;
};

/**
 * The only enhanced status codes (RFC 3463) after which an address is left alone: no such mailbox, no such domain, moved
 * without a new address, and the domain takes no mail. Any other refusal may end.
 */
export const NO_SUCH_MAILBOX: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.6', '5.1.10']);

const DAY = 86_400_000;
/** Addresses come back to life: a mailbox is made, a number given out again. One that bounces anew waits for longer. */
const HEALS_AFTER_MS = [7 * DAY, 30 * DAY, 180 * DAY] as const;

/** For how long an address that has bounced so many times is left alone. */
export const healsAfterMs = (times: number): number =>
  HEALS_AFTER_MS[Math.min(times, HEALS_AFTER_MS.length) - 1] ?? HEALS_AFTER_MS[0];
