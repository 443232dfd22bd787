import type { Excluded, Expected, Recorded } from './expectations.ts';
import type { Finding } from './findings.ts';

/** One row of `GET …/:id/deliveries`. */
export type DeliveryRow = {
  user_id: string;
  trigger: string;
  channel: string;
  status: string;
  reason: string | null;
};

const RECORDED: readonly string[] = [
  'no_contact',
  'same_address',
  'opted_out',
  'suppressed',
  'notifications_off',
] satisfies Recorded[];
/** The service may choose which person of a shared address carries the message; each of them has a row. */
const OF_AN_ADDRESS: readonly string[] = ['same_address', 'opted_out'];
const ANY = 'sent, or notified at the same address, to';

/** Compares the delivery rows of one event with the expected ones: messages sent, and reasons for those not sent. */
export function compareRecords(
  event_id: string,
  rows: readonly DeliveryRow[],
  expected: readonly Expected[],
  excluded: readonly Excluded[],
): Finding[] {
  const wanted = new Map<string, number>();
  const found = new Map<string, number>();
  const count = (counts: Map<string, number>, ...key: (string | null)[]) => {
    const text = key.filter((part) => part !== null).join(' ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  };
  for (const one of expected) {
    if (one.event_id !== event_id) continue;
    count(wanted, one.trigger, one.channel, 'sent');
    for (const user_id of one.receivers) count(wanted, one.trigger, one.channel, ANY, user_id);
  }
  for (const { trigger, channel, why, user_id, ...one } of excluded) {
    if (one.event_id !== event_id || channel === null || !RECORDED.includes(why)) continue;
    count(wanted, trigger, channel, why, OF_AN_ADDRESS.includes(why) ? null : user_id);
    if (why === 'opted_out') count(wanted, trigger, channel, ANY, user_id);
  }
  const notConcerned = new Set(
    excluded
      .filter((one) => one.event_id === event_id && one.channel === null)
      .map((one) => `${one.trigger} ${one.user_id}`),
  );
  for (const { trigger, channel, status, reason, user_id } of rows) {
    const outcome = reason ?? status;
    // A reminder is prepared before it is due: a person who leaves after that has a row that was never sent.
    if (outcome !== 'sent' && notConcerned.has(`${trigger} ${user_id}`)) continue;
    if (outcome !== 'sent' && !OF_AN_ADDRESS.includes(outcome)) count(found, trigger, channel, outcome, user_id);
    else {
      count(found, trigger, channel, outcome);
      count(found, trigger, channel, ANY, user_id);
    }
  }
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((key) => wanted.get(key) !== found.get(key))
    .map((key) => ({
      kind: 'record',
      text: `${key} of ${event_id}: the service recorded ${found.get(key) ?? 0}, expected ${wanted.get(key) ?? 0}`,
    }));
}
