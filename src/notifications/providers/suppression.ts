import { type Static, type TObject, Type } from 'typebox';
import { notFound } from '../../core/errors.ts';
import { oneOf, stamp, stampOrNull } from '../../core/schema.ts';
import type { Transact, Tx } from '../../core/transaction.ts';
import { type Caller, type Scope, scopeOf } from '../../people/caller.ts';
import { CHANNELS, type Channel } from '../../people/channels.ts';

/**
 * bounced: a server refused the address permanently, and it gets nothing · complained: its reader marked a message as spam,
 * and it gets only urgent messages.
 */
export const SUPPRESSION_KINDS = ['bounced', 'complained'] as const;

/** An address that no one in a tenant may use. */
export const SUPPRESSED = {
  id: Type.String(),
  channel: oneOf(CHANNELS),
  address: Type.String({ description: 'The masked address.' }),
  kind: oneOf(SUPPRESSION_KINDS),
  why: Type.String({ description: 'The code of the provider.' }),
  since: { ...stamp, description: 'When it began.' },
  until: { ...stampOrNull, description: 'When it ends. Null if it has no end.' },
  times: Type.Integer({ description: 'How often the address bounced again after a new attempt.' }),
};
export type Suppression = Static<TObject<typeof SUPPRESSED>>;

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

/** Bounced addresses; `from` and `to` (exclusive) limit the start of the suppression. */
type BouncedFilter = {
  channel?: Channel;
  /** the provider's code, as `why` of the suppression shows it */
  reason?: string;
  from?: Date;
  to?: Date;
};

/** Suppressed addresses per tenant, and STOP replies to senders of text messages, for all tenants. */
export type SuppressionStore = {
  /** Suppresses an address; the suppression of a bounce ends by itself, later after each further bounce. May repeat. */
  add(
    scope: Scope,
    channel: Channel,
    address: string,
    report: { kind: Suppression['kind']; why: string },
  ): Promise<void>;
  /** The given addresses that are suppressed now for this kind of message. */
  findSuppressed(
    tenant_id: string,
    channel: Channel,
    addresses: readonly string[],
    message: { urgent: boolean },
  ): Promise<Set<string>>;
  /** Records that these addresses blocked messages of this school, so that its staff sees them. */
  recordBlocked(scope: Scope, channel: Channel, addresses: readonly string[]): Promise<void>;
  /** Suppressions that have blocked messages of this school, ordered by id. */
  list(scope: Scope, query: { addresses?: readonly string[]; after?: string; limit: number }): Promise<Suppression[]>;
  /** @returns false if this school sees no such suppression */
  lift(scope: Scope, id: string, tx: Tx): Promise<boolean>;
  /**
   * Lifts at most `limit` bounces that block messages of this school now. Complaints and opt-outs stay, even if the address
   * bounced as well.
   */
  liftBounced(
    scope: Scope,
    filter: BouncedFilter,
    limit: number,
    tx: Tx,
  ): Promise<{ lifted: number; has_more: boolean }>;
  /** Removes a withdrawn complaint; a bounce stays. */
  removeComplaint(tenant_id: string, channel: Channel, address: string): Promise<void>;
  /** Records a STOP to this sender; `removeStop` undoes it after a START. Both may repeat. */
  recordStop(sender: string, address: string): Promise<void>;
  removeStop(sender: string, address: string): Promise<void>;
  /** The given addresses that sent STOP to any of these senders. */
  findStopped(senders: readonly string[], addresses: readonly string[]): Promise<Set<string>>;
};
