import type { Excluded, Expected } from './expectations.ts';
import type { Finding } from './findings.ts';

/** One row of `GET …/:id/deliveries`. */
export type DeliveryRow = {
  user_id: string;
  trigger: string;
  channel: string;
  status: string;
  reason: string | null;
};

/** Compares the delivery rows of one event with the expected ones: messages sent, and reasons for those not sent. */
export function compareRecords(
  event_id: string,
  rows: readonly DeliveryRow[],
  expected: readonly Expected[],
  excluded: readonly Excluded[],
): Finding[] {
  const counts = new Map<string, { wanted: number; found: number }>();
  const count = (what: 'wanted' | 'found', ...key: (string | null)[]) => {
    const both = counts.get(key.join(' ')) ?? { wanted: 0, found: 0 };
    both[what]++;
    counts.set(key.join(' '), both);
  };
  const concerned = new Set<string>();
  for (const { trigger, channel, receivers, ...one } of expected) {
    if (one.event_id !== event_id) continue;
    count('wanted', trigger, channel, 'sent');
    for (const user_id of receivers) concerned.add(`${trigger} ${user_id}`);
  }
  for (const { trigger, channel, why, user_id, ...one } of excluded) {
    if (one.event_id !== event_id || channel === null) continue;
    count('wanted', trigger, channel, why);
    concerned.add(`${trigger} ${user_id}`);
  }
  for (const { trigger, channel, status, reason, user_id } of rows) {
    // A reminder is prepared before it is due: a person who leaves after that has a row that was never sent.
    if (status === 'sent' || concerned.has(`${trigger} ${user_id}`)) count('found', trigger, channel, reason ?? status);
  }
  return [...counts]
    .filter(([, { wanted, found }]) => wanted !== found)
    .map(([key, { wanted, found }]) => ({
      kind: 'record',
      text: `${key} of ${event_id}: the service recorded ${found}, expected ${wanted}`,
    }));
}
