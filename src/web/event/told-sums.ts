import type { Delivery } from '../api/types.ts';

/** What becomes of messages, as people count it. */
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

/** The statuses that count as one. */
export const outcomeOf = (outcome: Outcome): Delivery['status'][] =>
  (Object.keys(OUTCOME) as Delivery['status'][]).filter((status) => OUTCOME[status] === outcome);

type Sum = Pick<Delivery, 'trigger' | 'channel'> & {
  counts: Record<Outcome, number>;
  reasons: { reason: string; count: number }[];
};

/** One line for each channel of what was told. */
export function sumsOf(rows: readonly Row[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { trigger, channel, status, reason, count } of rows) {
    const none = { sent: 0, waiting: 0, not: 0, failed: 0 };
    const sum = sums.get(trigger + channel) ?? { trigger, channel, counts: none, reasons: [] };
    sums.set(trigger + channel, sum);
    const outcome = OUTCOME[status];
    sum.counts[outcome] += count;
    if (outcome === 'not' || outcome === 'failed') {
      const known = sum.reasons.find((one) => one.reason === (reason ?? status));
      if (known) known.count += count;
      else sum.reasons.push({ reason: reason ?? status, count });
    }
  }
  return [...sums.values()];
}
