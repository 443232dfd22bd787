import type { Priority } from '../core/priority.ts';
import type { Tx } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { Fact, FactType, NewFact } from './fact.ts';

export type FactStore = {
  /** Assigns ids and versions and writes the facts to the outbox, in the transaction of the change. */
  record(facts: readonly NewFact[], tx: Tx): Promise<Fact[]>;
  find(id: string): Promise<Fact | null>;
  /** The facts that exist, in no order. */
  findMany(ids: readonly string[]): Promise<Fact[]>;
  /** Facts of one event, newest first. @param query `types`: only these; `before`: only facts older than this id */
  listOfEvent(
    scope: Scope,
    event_id: string,
    query: { limit: number; types?: readonly FactType[] | undefined; before?: string | undefined },
  ): Promise<Fact[]>;
  /** Unpublished facts of this priority, oldest first; more than `limit`: round robin over tenants. */
  findUnpublished(priority: Priority, limit: number): Promise<UnpublishedFact[]>;
  markPublished(ids: readonly string[]): Promise<void>;
  /**
   * Marks facts as unpublished again if they were published at least `olderThanMs` ago (by the database's clock) and not
   * processed since: their wake-ups were lost. @returns how many
   */
  reopenUnprocessed(olderThanMs: number): Promise<number>;
  /** The cursor after the last batch of this fact's fan-out; null before the first batch. */
  loadCheckpoint(id: string): Promise<string | null>;
  /** Also renews the published time, so that the wake-up of a long fan-out does not count as lost. */
  saveCheckpoint(id: string, checkpoint: string): Promise<void>;
  /** Removes a processed fact from the outbox; the fact itself stays. */
  markProcessed(id: string): Promise<void>;
  /**
   * Calls the listener with facts that this process has committed and that notify people. If the process ends right after
   * the commit, the relay's poll finds those facts.
   */
  onRecorded(listener: (facts: readonly UnpublishedFact[]) => void): void;
};

/** An outbox entry that is not on the queue yet. */
export type UnpublishedFact = Pick<Fact, 'id' | 'type' | 'tenant_id'> & { urgent: boolean };

/** Queue of wake-up notifications for the fan-out; lost ones are published again by `reopenLostFacts`. */
export type FactQueue = {
  /** Publishes ids; publishing one twice is harmless. Fails instead of waiting if the queue can't be reached. */
  publish(facts: readonly UnpublishedFact[]): Promise<void>;
  /** Jobs on the queue: waiting by priority, active, and delayed. */
  depth(): Promise<{ urgent: number; bulk: number; active: number; later: number }>;
};
