import { notFound } from '../../core/errors.ts';
import type { Transact } from '../../core/transaction.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { Channel } from '../policy/trigger.ts';
import type { BouncedFilter, SuppressionStore } from '../ports.ts';

/**
 * bounced: a server refused the address permanently, and it gets nothing · complained: its reader marked a message as spam,
 * and it gets only urgent messages.
 */
export const SUPPRESSION_KINDS = ['bounced', 'complained'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/** An address that no one in a tenant may use. */
export type Suppression = {
  id: string;
  channel: Channel;
  address: string;
  kind: SuppressionKind;
  /** the provider's code */
  why: string;
  since: Date;
  /** when messages are sent again; null: until staff lifts it */
  until: Date | null;
  /** how often it bounced, not counting bounces while suppressed */
  times: number;
};

/**
 * The only enhanced status codes (RFC 3463) that suppress an address: no such mailbox, no such domain, moved without a new
 * address, and a domain that accepts no mail. Any other refusal may be temporary.
 */
export const NO_SUCH_MAILBOX: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.6', '5.1.10']);

const DAY = 86_400_000;
/** Mailboxes are created and numbers reassigned, so a suppression ends; after each further bounce later. */
const SUPPRESSED_FOR_MS = [7 * DAY, 30 * DAY, 180 * DAY] as const;

/** How long an address is suppressed after this many bounces. */
export const suppressedForMs = (times: number): number =>
  SUPPRESSED_FOR_MS[Math.min(times, SUPPRESSED_FOR_MS.length) - 1] ?? SUPPRESSED_FOR_MS[0];

/** Addresses per call, because one transaction writes them all. */
const LIMIT = 1_000;

/**
 * Lifts a suppression that has blocked a message of the caller's school. Another bounce suppresses the address again.
 * @throws Refused `not_found`
 */
export async function liftSuppression(
  { transact, suppressions }: { transact: Transact; suppressions: Pick<SuppressionStore, 'lift'> },
  caller: Caller,
  id: string,
): Promise<void> {
  await transact(async (tx) => {
    if (!(await suppressions.lift(scopeOf(caller), id, tx))) throw notFound();
  });
}

/**
 * Lifts the suppression of bounced addresses that have blocked a message of the caller's school, at most 1,000 per call.
 * Complaints and opt-outs stay. @returns how many, and whether more match
 */
export function liftBounced(
  { transact, suppressions }: { transact: Transact; suppressions: Pick<SuppressionStore, 'liftBounced'> },
  caller: Caller,
  filter: BouncedFilter,
): Promise<{ lifted: number; has_more: boolean }> {
  return transact((tx) => suppressions.liftBounced(scopeOf(caller), filter, LIMIT, tx));
}
