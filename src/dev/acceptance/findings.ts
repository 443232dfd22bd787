import type { Excluded, Expected } from './expectations.ts';
import { WHY } from './expectations.ts';
import type { Received } from './received.ts';
import { plain } from './wording.ts';

/** Something that is not as it should be. */
export type Finding = {
  kind: 'missing' | 'doubled' | 'stale' | 'unexpected' | 'wrong' | 'record';
  text: string;
};

export type Comparison = {
  findings: Finding[];
  /** what came for each expected message, in their order */
  arrivals: readonly (readonly Received[])[];
};

/** Clocks of two processes on one machine. */
const CLOCKS_MS = 250;

/**
 * Holds what arrived against what had to arrive. Where several messages to one address are of one kind (two children
 * confirmed, an event published again), an arrival counts for the one that it says: else for the latest due by then.
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
      .filter((i) => (expected[i]?.since ?? 0) <= message.at + CLOCKS_MS)
      .reverse();
    const said = due.filter((i) => lackOf(expected[i], message).length === 0);
    const chosen = said.find((i) => arrivals[i]?.length === 0) ?? said[0] ?? due[0];
    if (chosen !== undefined) arrivals[chosen]?.push(message);
    else findings.push({ kind: 'unexpected', text: `${nameOf(message)}: ${whyNot(message, excluded)}` });
  }
  for (const [i, one] of expected.entries()) {
    const came = arrivals[i] ?? [];
    if (came.length === 0) findings.push({ kind: 'missing', text: nameOf(one) });
    if (came.length > 1) findings.push({ kind: 'doubled', text: `${nameOf(one)}: came ${came.length} times` });
    for (const message of came) {
      const late = one.until === null ? 0 : message.at - one.until;
      if (late > CLOCKS_MS)
        findings.push({ kind: 'stale', text: `${nameOf(one)}: came ${late} ms after it had ceased to be true` });
      const lacks = lackOf(one, message);
      if (lacks.length > 0) findings.push({ kind: 'wrong', text: `${nameOf(one)}: lacks ${lacks.join(', ')}` });
    }
  }
  return { findings, arrivals };
}

/** What a message ought to say and doesn't. */
function lackOf(one: Expected | undefined, message: Received): string[] {
  const text = plain(message.text);
  return (one?.says ?? []).filter((saying) => !saying.in.test(text)).map(({ what }) => what);
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
  return reason ? WHY[reason.why] : 'nothing had happened that this could tell of';
}
