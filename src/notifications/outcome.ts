/**
 * The meaning of a provider's answer. Channels translate answers; what happens next is decided by `resultOf` (policy/retry.ts)
 * alone. `provider`: the one that answered. `detail`: a code such as `smtp 550 5.1.1` or `twilio 21211`, never an
 * address or a provider's text.
 */
export type Outcome =
  | { kind: 'accepted'; provider_id?: string; provider?: string }
  /**
   * nothing of the message reached the provider: retried without counting an attempt; `queue`: it only waited for a
   * connection, `turn`: another message is probing the provider
   */
  | { kind: 'infrastructure'; detail: string; of?: 'queue' | 'turn' }
  | { kind: 'transient'; detail: string }
  /** slow down: retried without counting an attempt */
  | { kind: 'throttled'; detail: string; retry_after_ms?: number }
  /**
   * our settings are wrong: retried until an operator has corrected them; `route`: perhaps not for every message,
   * `recipient`: refused by a provider that has not accepted any message yet
   */
  | { kind: 'configuration'; detail: string; of?: 'route' | 'recipient' }
  /** the address does not exist: final, suppressed for the tenant */
  | { kind: 'bad_address'; detail: string }
  /** final after three tries */
  | { kind: 'mailbox_full'; detail: string }
  /** the message itself was refused: final, no suppression */
  | { kind: 'refused'; detail: string }
  /** the person sent STOP to this sender: final, recorded as opt-out */
  | { kind: 'opted_out'; detail: string; sender?: string }
  /** not sent, because this person cannot be reached on this channel: final, no suppression */
  | { kind: 'no_account'; detail: string }
  /** not sent, because the provider has approved no text for such messages: final */
  | { kind: 'no_template'; detail: string }
  /** not sent, because the tenant has used up its daily budget: final */
  | { kind: 'over_budget'; detail: string }
  /** an ended push subscription: deleted, final */
  | { kind: 'gone'; detail: string }
  /** the provider may have accepted it */
  | { kind: 'ambiguous'; detail: string; provider?: string }
  /** an internal error: five of them quarantine the delivery */
  | { kind: 'unclassified'; detail: string };

export type OutcomeKind = Outcome['kind'];
