import type { Delivery } from '../api/types.ts';

/** Outcomes of messages as staff count them. */
export const OUTCOMES = ['sent', 'waiting', 'not', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

type Row = Pick<Delivery, 'trigger' | 'channel' | 'status' | 'reason'> & { count: number };

const OUTCOME: Record<Delivery['status'], Outcome> = {
  waiting: 'waiting',
  claimed: 'waiting',
  sending: 'waiting',
  unknown: 'waiting',
  sent: 'sent',
  sent_unconfirmed: 'sent',
  skipped: 'not',
  failed: 'failed',
  quarantined: 'failed',
};

/** The delivery statuses of an outcome. */
export const statusesOf = (outcome: Outcome): Delivery['status'][] =>
  (Object.keys(OUTCOME) as Delivery['status'][]).filter((status) => OUTCOME[status] === outcome);

export type Total = Pick<Delivery, 'trigger' | 'channel'> & {
  counts: Record<Outcome, number>;
  reasons: { reason: string; count: number }[];
};

/** Totals by trigger and channel; leaves out channels that are not set up. */
export function totalsByChannel(rows: readonly Row[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { trigger, channel, status, reason, count } of rows) {
    if (reason === 'channel_off') continue;
    const none = { sent: 0, waiting: 0, not: 0, failed: 0 };
    const total = totals.get(trigger + channel) ?? { trigger, channel, counts: none, reasons: [] };
    totals.set(trigger + channel, total);
    const outcome = OUTCOME[status];
    total.counts[outcome] += count;
    if (outcome === 'not' || outcome === 'failed') {
      const known = total.reasons.find((one) => one.reason === (reason ?? status));
      if (known) known.count += count;
      else total.reasons.push({ reason: reason ?? status, count });
    }
  }
  return [...totals.values()];
}
