import { type Excluded, type Expected, WHY } from './expectations.ts';
import type { Received } from './received.ts';
import { plain } from './wording.ts';

/** A difference between what had to happen and what did. */
export type Finding = {
  kind: 'missing' | 'doubled' | 'unexpected' | 'wrong' | 'record';
  text: string;
};

export type Comparison = {
  findings: Finding[];
  /** received messages for each expected one, in the order of the expected ones */
  arrivals: readonly (readonly Received[])[];
};

/** Tolerance between the clocks of two processes. */
const CLOCK_SKEW_MS = 250;

/**
 * Compares received messages with expected ones. If several expected messages have the same address and kind (two children
 * confirmed, an event published again), a received one counts for the one whose text it has, else for the latest due.
 */
export function compare(
  expected: readonly Expected[],
  excluded: readonly Excluded[],
  received: readonly Received[],
): Comparison {
  const findings: Finding[] = [];
  const arrivals = expected.map((): Received[] => []);
  const byKey = new Map<string, number[]>();
  for (const [i, one] of expected.entries()) {
    const key = keyOf(one);
    byKey.set(key, [...(byKey.get(key) ?? []), i]);
  }
  for (const message of received) {
    const due = (byKey.get(keyOf(message)) ?? [])
      .filter((i) => (expected[i]?.since ?? 0) <= message.at + CLOCK_SKEW_MS)
      .reverse();
    const matching = due.filter((i) => missingTexts(expected[i], message).length === 0);
    const chosen = matching.find((i) => arrivals[i]?.length === 0) ?? matching[0] ?? due[0];
    if (chosen !== undefined) arrivals[chosen]?.push(message);
    else findings.push({ kind: 'unexpected', text: `${nameOf(message)}: ${whyNot(message, excluded)}` });
  }
  for (const [i, one] of expected.entries()) {
    const came = arrivals[i] ?? [];
    if (came.length === 0) findings.push({ kind: 'missing', text: nameOf(one) });
    if (came.length > 1) findings.push({ kind: 'doubled', text: `${nameOf(one)}: arrived ${came.length} times` });
    for (const message of came) {
      const lacks = missingTexts(one, message);
      if (lacks.length > 0) findings.push({ kind: 'wrong', text: `${nameOf(one)}: lacks ${lacks.join(', ')}` });
    }
  }
  return { findings, arrivals };
}

/** The required texts that a message lacks. */
function missingTexts(one: Expected | undefined, message: Received): string[] {
  const text = plain(message.text);
  return (one?.says ?? []).filter((required) => !required.in.test(text)).map(({ what }) => what);
}

type Address = Pick<Received, 'channel' | 'address' | 'event_id' | 'trigger'>;

const keyOf = ({ channel, address, event_id, trigger }: Address): string =>
  [channel, address, event_id, trigger].join(' ');

const nameOf = ({ channel, address, event_id, trigger }: Address): string =>
  `${trigger ?? 'a message of no known kind'} of ${event_id ?? 'no event'} by ${channel} to ${address}`;

function whyNot(message: Received, excluded: readonly Excluded[]): string {
  const reason = excluded.find(
    ({ user_id, channel, event_id, trigger }) =>
      user_id === message.address &&
      (channel === null || channel === message.channel) &&
      event_id === message.event_id &&
      trigger === message.trigger,
  );
  return reason ? WHY[reason.why] : 'nothing had happened that calls for it';
}

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
