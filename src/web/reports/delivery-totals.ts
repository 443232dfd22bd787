import type { Delivery, PeopleCount } from '../api/types.ts';

/** The outcome of a message for one person, as staff count people. */
export const OUTCOMES = ['missed', 'waiting', 'reached'] as const satisfies readonly (keyof PeopleCount)[];
export type Outcome = (typeof OUTCOMES)[number];

type Row = Pick<Delivery, 'trigger' | 'channel' | 'status' | 'reason'> & { count: number };

const NOT_SENT: ReadonlySet<Delivery['status']> = new Set(['skipped', 'failed', 'quarantined']);
const SENT: ReadonlySet<Delivery['status']> = new Set(['sent', 'sent_unconfirmed']);

/** `reasons`: why messages were not sent, with their number. */
export type Total = Pick<Delivery, 'trigger' | 'channel'> & {
  sent: number;
  waiting: number;
  reasons: { reason: string; count: number }[];
};

/** Counts messages by trigger and channel; leaves out channels that are not set up, unless a message used no other. */
export function totalsByChannel(rows: readonly Row[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { trigger, channel, status, reason, count } of rows) {
    const total = totals.get(trigger + channel) ?? { trigger, channel, sent: 0, waiting: 0, reasons: [] };
    totals.set(trigger + channel, total);
    if (SENT.has(status)) total.sent += count;
    else if (!NOT_SENT.has(status)) total.waiting += count;
    else {
      const why = channel === 'push' && reason === 'no_contact' ? 'no_device' : (reason ?? status);
      const counted = total.reasons.find((one) => one.reason === why);
      if (counted) counted.count += count;
      else total.reasons.push({ reason: why, count });
    }
  }
  const all = [...totals.values()];
  const isOff = ({ sent, waiting, reasons }: Total) =>
    sent + waiting === 0 && reasons.every(({ reason }) => reason === 'channel_off');
  const isUsed = (trigger: Total['trigger']) => all.some((one) => one.trigger === trigger && !isOff(one));
  return all.filter((one) => !isOff(one) || !isUsed(one.trigger));
}

type Decision = { trigger: string; channel: string | null; at: string; reason: string | null; text: string } & {
  retryable?: boolean;
};

/**
 * Equal reasons once, with the latest time and their number: an event that is edited often has many. Each sent message, and
 * each that can be sent again, stays on its own.
 */
export function joinDecisions<T extends Decision>(latestFirst: readonly T[]): (T & { count: number })[] {
  const joined = new Map<string, T & { count: number }>();
  for (const one of latestFirst) {
    const reason = one.retryable ? null : one.reason;
    const key = JSON.stringify([one.trigger, one.channel, reason ?? one.at, one.text]);
    joined.set(key, { ...one, ...joined.get(key), count: (joined.get(key)?.count ?? 0) + 1 });
  }
  return [...joined.values()];
}
