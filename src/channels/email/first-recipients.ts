import type { Outcome } from '../../notifications/delivery/outcome.ts';

/** If so many first recipients of a server are refused alike, the server refuses us and not the recipients. */
const RECIPIENTS = 20;
/** A school may write to fewer people: a recipient that is still refused after this time is refused for good. */
const FINAL_AFTER_MS = 3 * 60_000;
/** Remembered beyond the first: what is retried must not count as new. */
const MOST_KEPT = 1_000;

/** The code of a final refusal by the server, or null. */
function refusalIn(outcome: Outcome): string | null {
  const { kind } = outcome;
  if (kind !== 'bad_address' && kind !== 'mailbox_full' && kind !== 'refused') return null;
  return /^smtp \d/.test(outcome.detail) ? outcome.detail : null;
}

/**
 * Judges what a server says about its first recipients, until it accepts a message. A permanent refusal is not believed
 * before: the row waits and is tried again. The same refusal for 20 recipients is a matter of configuration. Any failure
 * of the server begins this anew.
 *
 * @param now a steady clock in milliseconds; for tests
 */
export function firstRecipients(now: () => number = () => performance.now()) {
  let isTrusted = false;
  /** the refusal of the first, and when each recipient got it first */
  let first: string | null = null;
  const refusedAt = new Map<string, number>();

  function startAnew(trusted: boolean): void {
    isTrusted = trusted;
    first = null;
    refusedAt.clear();
  }

  /** @returns the outcome to act on */
  return function judge(outcome: Outcome, recipient: string): Outcome {
    if (outcome.kind === 'accepted') startAnew(true);
    if (outcome.kind === 'configuration' || (outcome.kind === 'infrastructure' && !outcome.of)) isTrusted = false;
    const detail = refusalIn(outcome);
    if (isTrusted || detail === null) return outcome;
    first ??= detail;
    // A server that tells recipients apart knows them.
    if (detail !== first) {
      startAnew(true);
      return outcome;
    }
    const at = now();
    const since = refusedAt.get(recipient) ?? at;
    if (refusedAt.size < MOST_KEPT) refusedAt.set(recipient, since);
    if (refusedAt.size >= RECIPIENTS) return { kind: 'configuration', detail: `${detail} for every recipient` };
    return at - since >= FINAL_AFTER_MS ? outcome : { kind: 'configuration', detail, of: 'recipient' };
  };
}
