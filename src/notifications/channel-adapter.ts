import type { QueuedChannel } from '../people/channels.ts';
import type { Outgoing } from './content/message.ts';
import type { Reason } from './delivery.ts';
import type { Outcome, OutcomeKind } from './outcome.ts';
import type { Availability, CircuitBreaker } from './providers/circuit-breaker.ts';

/** A provider's later report on one attempt, identified by `fence`. */
export type ProviderReport = { fence: number; provider_id: string; detail: string } & (
  | { arrived: true }
  | { arrived: false; reason: Reason }
);

/**
 * A channel to reach people; only the delivery path calls it. `send` never throws for an answer of the provider, and resolves
 * within SEND_TIMEOUT_MS.
 */
export type ChannelAdapter = {
  readonly channel: QueuedChannel;
  /** messages in flight at the same time, at most: a crash leaves this many in an unknown state */
  readonly capacity: number;
  /** whether it can combine several messages to one reader (`Outgoing.parts`) */
  readonly digests?: boolean;
  send(message: Outgoing): Promise<Outcome>;
  /**
   * Asks the provider for a message of unknown outcome, on channels that support this. @returns the provider's id, or null if
   * the provider does not have it @throws Error if the provider could not be asked
   */
  find?(message: Outgoing, since: Date): Promise<{ provider_id: string } | null>;
  /**
   * How many messages its providers accept now: any number, one as a probe, or none for this many milliseconds.
   * @param urgent for urgent messages, or for the others
   */
  availability?(urgent: boolean): Availability;
  /** one per external provider */
  breakers(): readonly CircuitBreaker[];
  /** the senders that people may send STOP to, for urgent and for other messages */
  readonly senders?: Senders;
  /** Ends idle connections after messages in flight have finished. */
  close(): Promise<void>;
};

/** Numbers or messaging services; both lists are equal if there are no separate urgent senders. */
export type Senders = { urgent: readonly string[]; routine: readonly string[] };

/** A call to a provider was answered, its circuit breaker opened or closed, or it is throttled. */
export type ProviderNotice = { provider: string; outcome: OutcomeKind; detail: string | null } & (
  | { what: 'answered' | 'closed' }
  | { what: 'opened'; why: 'infrastructure' | 'configuration'; forMs: number }
  | { what: 'throttled'; forMs: number }
);
