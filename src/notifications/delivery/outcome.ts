import type { Reason } from '../delivery.ts';

/**
 * What a provider's answer means, by the retry table of delivery.md. Channels translate into these and never decide what
 * happens next. `provider` is which of several had it. `detail` is a code such as `smtp 550 5.1.1` or `twilio 21211`; never an address or a provider's free text.
 */
export type Outcome =
  | { kind: 'accepted'; provider_id?: string; provider?: string }
  /**
   * nothing of the message reached the other side: retry, burns no attempt; `queue`: it only waited for a connection,
   * `turn`: somebody else's message tries the provider out
   */
  | { kind: 'infrastructure'; detail: string; of?: 'queue' | 'turn' }
  | { kind: 'transient'; detail: string }
  /** slow down; burns no attempt */
  | { kind: 'throttled'; detail: string; retry_after_ms?: number }
  /**
   * our settings are wrong: the row stays until an operator has corrected them; `route`: perhaps not for every message,
   * `recipient`: a refusal by a provider that has not accepted any message yet
   */
  | { kind: 'configuration'; detail: string; of?: 'route' | 'recipient' }
  /** the address is not usable: final, suppressed for the tenant */
  | { kind: 'bad_address'; detail: string }
  /** three tries, then final */
  | { kind: 'mailbox_full'; detail: string }
  /** the message itself was refused: final, no suppression */
  | { kind: 'refused'; detail: string }
  /** the person told this sender to stop: final, opt-out recorded */
  | { kind: 'opted_out'; detail: string; sender?: string }
  /** nobody was asked: the tenant has sent all it may today; final */
  | { kind: 'over_budget'; detail: string }
  /** a push subscription that is no more: it is deleted, final */
  | { kind: 'gone'; detail: string }
  /** the other side may have taken it */
  | { kind: 'ambiguous'; detail: string; provider?: string }
  /** a fault of ours: five of them quarantine the delivery */
  | { kind: 'unclassified'; detail: string };

export type OutcomeKind = Outcome['kind'];

/** What a provider tells of one try; `fence` is which. */
export type ProviderWord = { fence: number; provider_id: string; detail: string } & (
  | { arrived: true }
  | { arrived: false; reason: Reason }
);
