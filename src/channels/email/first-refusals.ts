import type { Outcome } from '../../notifications/channel-adapter.ts';

/** If a server refuses this many first recipients alike, it refuses our account and not the recipients. */
const RECIPIENTS = 20;
/** A school may write to fewer people: after this time a repeated refusal of a recipient is final. */
const FINAL_AFTER_MS = 3 * 60_000;
/** Retries of remembered recipients don't count as new recipients. */
const MAX_REMEMBERED = 1_000;

/** The code of a permanent refusal by the server, or null. */
function refusalIn(outcome: Outcome): string | null {
  const { kind } = outcome;
  if (kind !== 'bad_address' && kind !== 'mailbox_full' && kind !== 'refused') return null;
  return /^smtp \d/.test(outcome.detail) ? outcome.detail : null;
}

/**
 * Verifies the permanent refusals of a server that has not accepted any message yet, because a misconfigured server may
 * refuse everyone: the delivery is retried first, and the same refusal for 20 recipients counts as a configuration error.
 * Any failure of the server starts the verification again.
 *
 * @param now a steady clock in milliseconds; for tests
 */
export function verifyFirstRefusals(now: () => number = () => performance.now()) {
  let isTrusted = false;
  /** the first refusal, and when each recipient first got it */
  let first: string | null = null;
  const refusedAt = new Map<string, number>();

  function restart(trusted: boolean): void {
    isTrusted = trusted;
    first = null;
    refusedAt.clear();
  }

  /** @returns the outcome to act on */
  return (outcome: Outcome, recipient: string): Outcome => {
    if (outcome.kind === 'accepted') restart(true);
    if (outcome.kind === 'configuration' || (outcome.kind === 'infrastructure' && !outcome.of)) isTrusted = false;
    const detail = refusalIn(outcome);
    if (isTrusted || detail === null) return outcome;
    first ??= detail;
    // A server that refuses recipients for different reasons knows its recipients.
    if (detail !== first) {
      restart(true);
      return outcome;
    }
    const at = now();
    const since = refusedAt.get(recipient) ?? at;
    if (refusedAt.size < MAX_REMEMBERED) refusedAt.set(recipient, since);
    if (refusedAt.size >= RECIPIENTS) return { kind: 'configuration', detail: `${detail} for every recipient` };
    return at - since >= FINAL_AFTER_MS ? outcome : { kind: 'configuration', detail, of: 'recipient' };
  };
}
