import type { Tx } from '../../core/transaction.ts';
import type { Scope } from '../../people/caller.ts';
import type { Channel } from '../policy/trigger.ts';
import type { Suppression, SuppressionKind } from './suppression.ts';

/** Numbers or messaging services; the same for both where there is but one kind. */
export type Senders = { urgent: readonly string[]; routine: readonly string[] };

/** How many parts of text messages each tenant has sent today, over all processes. */
export type SmsBudget = {
  /** @returns false where they don't fit under the limit any more: then none is taken */
  take(tenant_id: string, parts: number, limit: number): Promise<boolean>;
  giveBack(tenant_id: string, parts: number): Promise<void>;
  /** Parts taken on the day (UTC) of this moment. */
  used(tenant_id: string, at: Date): Promise<number>;
};

/** Bounced addresses; `from` and `to` (not included) bound the moment since when they are suppressed. */
export type BouncedFilter = {
  channel?: Channel;
  /** the provider's code, as `why` of the suppression shows it */
  reason?: string;
  from?: Date;
  to?: Date;
};

/** Addresses that must not be used, per tenant; and who told which sender of text messages to stop, for all of them. */
export type SuppressionStore = {
  /** Those that bounce heal by themselves, each time after longer (suppression.ts). May repeat. */
  add(scope: Scope, channel: Channel, address: string, told: { kind: SuppressionKind; why: string }): Promise<void>;
  /** Those of the given addresses that are held now, for what is urgent or for the rest. */
  findSuppressed(
    tenant_id: string,
    channel: Channel,
    addresses: readonly string[],
    message: { urgent: boolean },
  ): Promise<Set<string>>;
  /** Messages of this school were held back by these: from now on its staff sees them. */
  recordBlocked(scope: Scope, channel: Channel, addresses: readonly string[]): Promise<void>;
  /** Those that have held messages of this school back, in the order of their ids. */
  list(scope: Scope, query: { addresses?: readonly string[]; after?: string; limit: number }): Promise<Suppression[]>;
  /** @returns false where there is none that this school may see */
  lift(scope: Scope, id: string, tx: Tx): Promise<boolean>;
  /**
   * Lifts at most `limit` bounces that hold back messages of this school now. Complaints and opt-outs stay, also of an
   * address that bounced as well.
   */
  liftBounced(
    scope: Scope,
    filter: BouncedFilter,
    limit: number,
    tx: Tx,
  ): Promise<{ lifted: number; has_more: boolean }>;
  /** A complaint was taken back; what bounced stays. */
  removeComplaint(tenant_id: string, channel: Channel, address: string): Promise<void>;
  /** Somebody told this sender to stop, or to begin again. May repeat. */
  recordStop(sender: string, address: string): Promise<void>;
  removeStop(sender: string, address: string): Promise<void>;
  /** Those of the given addresses that told any of these senders to stop. */
  findStopped(senders: readonly string[], addresses: readonly string[]): Promise<Set<string>>;
};
