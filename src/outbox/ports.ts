import type { Clock } from '../core/clock.ts';
import type { Range } from '../core/paging.ts';
import type { Priority } from '../core/priority.ts';
import type { Transact, TransactOnce, Tx } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { Fact, FactType, NewFact } from './fact.ts';

/** `before`: only facts older than this id; `user_id`: only about this person */
export type NewestQuery = { limit: number; before?: string; user_id?: string };

export type FactStore = {
  /**
   * Writes the facts in the transaction of the change, those that notify people to the outbox. Assigns the ids and versions
   * that are missing.
   */
  record(facts: readonly NewFact[], tx: Tx): Promise<Fact[]>;
  /** The facts that exist, in no order. */
  findMany(ids: readonly string[]): Promise<Fact[]>;
  /** Facts of one event, newest first. @param query `types`: only these; `user_id`: only about this registered person */
  listOfEvent(scope: Scope, event_id: string, query: NewestQuery & { types?: readonly FactType[] }): Promise<Fact[]>;
  /** Records an answer in a transaction of its own, unless it was recorded before. */
  recordAnswer(answer: NewFact<'message.answered'>): Promise<void>;
  /** Answers to the text messages of a school, newest first; `user_id`: only of this person. */
  listAnswers(scope: Scope, query: NewestQuery): Promise<Fact<'message.answered'>[]>;
  /** Ids of the lead occurrences whose messages for facts of these types named any of these events together with others. */
  findLeads(scope: Scope, event_ids: readonly string[], types: readonly FactType[]): Promise<string[]>;
  /** Whether any fact is unpublished, or published but not processed. */
  isAnyUnfinished(): Promise<boolean>;
  /** Unpublished facts of this priority, oldest first; more than `limit`: round robin over tenants. */
  findUnpublished(priority: Priority, limit: number): Promise<UnpublishedFact[]>;
  markPublished(ids: readonly string[]): Promise<void>;
  /**
   * Marks facts as unpublished again if they were published at least `olderThanMs` ago (by the database's clock) and not
   * processed since: their wake-ups were lost. @returns how many
   */
  reopenUnprocessed(olderThanMs: number): Promise<number>;
  /** Marks a published fact as unpublished again, if it is not processed. */
  reopen(id: string): Promise<void>;
  /** A fact with the parts that its fan-out was split into; none if it was not split. */
  findWithParts(id: string): Promise<{ fact: Fact; parts: readonly FactPart[] } | null>;
  /** Stores the parts, unless the fact was split or processed before. @returns the stored parts */
  split(id: string, parts: readonly Range[]): Promise<readonly FactPart[]>;
  /** Moves the checkpoint of a part. This and `finishPart` renew the published time, so that a long fan-out is not lost. */
  saveCheckpoint(id: string, part: number, after: string): Promise<void>;
  /** @returns whether all parts of the fact are finished */
  finishPart(id: string, part: number): Promise<boolean>;
  /** Removes a processed fact from the outbox; the fact itself stays. */
  markProcessed(id: string): Promise<void>;
  /**
   * Calls the listener with outbox entries that this process has committed. If the process ends right after the commit, the
   * relay's poll finds them.
   */
  onRecorded(listener: (facts: readonly UnpublishedFact[]) => void): void;
};

/** The needs of use cases that record facts. */
export type FactDeps = { clock: Clock; transact: Transact; transactOnce: TransactOnce; facts: FactStore };

/** A range of a fact's recipients: `after` is its checkpoint, which moves only after rows exist. */
export type FactPart = Range & { done?: true };

/** An outbox entry that is not on the queue yet. */
export type UnpublishedFact = Pick<Fact, 'id' | 'type' | 'tenant_id' | 'traceparent'> & { urgent: boolean };

/** Queue of wake-up notifications for the fan-out; lost ones are published again by `reopenLostFacts`. */
export type FactQueue = {
  /** Publishes ids; publishing one twice is harmless. Fails instead of waiting if the queue can't be reached. */
  publish(facts: readonly UnpublishedFact[]): Promise<void>;
  /** Publishes parts of one fact to a queue of their own, where the parts of several facts take turns. */
  publishParts(fact: UnpublishedFact, parts: readonly number[]): Promise<void>;
  /** How many facts of this priority wait for a worker. */
  countWaiting(priority: Priority): Promise<number>;
  /** Whether no fact and no part waits or is being worked on. */
  isIdle(): Promise<boolean>;
};
