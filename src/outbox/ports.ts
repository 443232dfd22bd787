import type { Tx } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { Fact, FactType, NewFact } from './fact.ts';

export type FactStore = {
  /** Gives each its id and version and writes them within the transaction of the change. */
  record(facts: readonly NewFact[], tx: Tx): Promise<Fact[]>;
  find(id: string): Promise<Fact | null>;
  /** Those that exist, in no order. */
  findMany(ids: readonly string[]): Promise<Fact[]>;
  /** Newest first. @param types only these */
  ofEvent(scope: Scope, event_id: string, limit: number, before?: string, types?: readonly FactType[]): Promise<Fact[]>;
  /** The newest of these types. */
  lastOf(scope: Scope, event_id: string, types: readonly FactType[]): Promise<Fact | null>;
  /** Of these types, newest first. */
  ofTypes(scope: Scope, event_id: string, types: readonly Fact['type'][], limit: number): Promise<Fact[]>;
  /** Facts of this lane that are not handed on yet, at most so many: oldest first, of several tenants in turn. */
  pending(lane: FactLane, limit: number): Promise<PendingFact[]>;
  markHandedOn(ids: readonly string[]): Promise<void>;
  /**
   * Facts handed on at least `olderThanMs` ago (by the database's clock) and not worked off are pending again: their
   * wake-ups were lost. @returns how many
   */
  reopenUnfinished(olderThanMs: number): Promise<number>;
  /** How far the fan-out of this fact has come; null before its first batch. */
  checkpoint(id: string): Promise<string | null>;
  /** As long as it moves on, its wake-up doesn't count as lost. */
  saveCheckpoint(id: string, checkpoint: string): Promise<void>;
  /** Nothing more will be done for these facts. */
  markWorkedOff(...ids: readonly string[]): Promise<void>;
  /**
   * Calls the listener with facts that this process has committed and that notify people. A process that ends right after
   * the commit calls nobody: the relay's poll finds those facts.
   */
  onRecorded(listener: (facts: readonly PendingFact[]) => void): void;
};

/** People are told of what is urgent ahead of all bulk. */
export type FactLane = 'urgent' | 'bulk';

/** `urgent`: of that lane. */
export type PendingFact = Pick<Fact, 'id' | 'type' | 'tenant_id'> & { urgent: boolean };

/** Wake-ups for those who work on facts; a lost one is found again by the reconciler. */
export type FactQueue = {
  /** Ids only. Handing on one id twice is harmless. Fails rather than waits when the queue can't be reached. */
  handOn(facts: readonly PendingFact[]): Promise<void>;
  /** Wake-ups that are held: waiting, being worked on, and put aside for later. */
  depth(): Promise<{ urgent: number; bulk: number; active: number; later: number }>;
};
