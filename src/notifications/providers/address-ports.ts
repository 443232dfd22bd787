import type { Tx } from '../../core/transaction.ts';
import type { Scope } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';
import type { Channel } from '../policy/trigger.ts';
import type { Suppression, SuppressionKind } from './suppression.ts';

/** Numbers or messaging services; both lists are equal if there are no separate urgent senders. */
export type Senders = { urgent: readonly string[]; routine: readonly string[] };

export type SentTexts = {
  /** The newest text that was sent to a number, or may have been, by any school. */
  findLastText(channel: Channel, address: string): Promise<Delivery | null>;
};

/** Parts of text messages that each tenant has sent today, over all processes. */
export type SmsBudget = {
  /** @returns false, and takes none, if the parts exceed the limit */
  take(tenant_id: string, parts: number, limit: number): Promise<boolean>;
  giveBack(tenant_id: string, parts: number): Promise<void>;
  /** Parts taken on the day (UTC) of this moment. */
  used(tenant_id: string, at: Date): Promise<number>;
};

/** Bounced addresses; `from` and `to` (exclusive) limit the start of the suppression. */
export type BouncedFilter = {
  channel?: Channel;
  /** the provider's code, as `why` of the suppression shows it */
  reason?: string;
  from?: Date;
  to?: Date;
};

/** Suppressed addresses per tenant, and STOP replies to senders of text messages, for all tenants. */
export type SuppressionStore = {
  /** Suppresses an address; a bounce ends automatically, after longer each time (suppression.ts). May repeat. */
  add(scope: Scope, channel: Channel, address: string, report: { kind: SuppressionKind; why: string }): Promise<void>;
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
