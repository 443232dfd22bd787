import { type Static, type TObject, Type } from 'typebox';
import { line, nullable, oneOf, stamp, stampOrNull } from '../core/schema.ts';
import type { Tx } from '../core/transaction.ts';
import { WEBHOOK_TYPES } from '../outbox/shown-facts.ts';
import type { Scope } from '../people/caller.ts';

/** A signing secret, `whsec_…`; `until`: when it ends, after a newer one has replaced it. */
export type Secret = { value: string; until: Date | null };

const type = oneOf(WEBHOOK_TYPES);

/** A subscription of a school: an address that is sent the facts of these types. */
export const WEBHOOK = {
  id: Type.String(),
  url: line(2048, {
    minLength: 1,
    description: 'A public https address without a user and a password. Redirects are not followed.',
  }),
  types: Type.Array(type, {
    minItems: 1,
    maxItems: WEBHOOK_TYPES.length,
    uniqueItems: true,
    description: 'What the address is sent.',
  }),
  description: nullable(line(200, { description: 'For staff: what the webhook is for.' })),
  enabled: Type.Boolean({ description: 'Whether messages are sent.' }),
  disabled_reason: nullable(
    oneOf(['gone', 'failing'], {
      description:
        'Why it was turned off. `gone`: the receiver answered 410. `failing`: every try failed for five days. Null: it is ' +
        'on, or staff turned it off.',
    }),
  ),
  disabled_at: { ...stampOrNull, description: 'When it was turned off.' },
  failing_since: { ...stampOrNull, description: 'Since when every try has failed. Null: the last one succeeded.' },
  created_at: stamp,
};

export type Webhook = Scope &
  Static<TObject<typeof WEBHOOK>> & {
    /** newest first; the others were replaced within a day */
    secrets: Secret[];
    last_failure_at: Date | null;
    /** the beginning of the failures of which staff were warned last */
    warned_of?: Date;
  };

export type DisabledReason = NonNullable<Webhook['disabled_reason']>;

/** One request to the receiver. */
const TRY = Type.Object({
  at: { ...stamp, description: 'When it was tried.' },
  ms: Type.Integer({ description: 'How many milliseconds it took.' }),
  status_code: nullable(Type.Integer({ description: 'The HTTP status of the response. Null: there was none.' })),
  problem: nullable(
    oneOf(['unreachable', 'timeout', 'private_address', 'refused'], {
      description:
        'Why the try failed. `private_address`: the address is not on the internet. `refused`: the status was not 2xx. ' +
        'Null: the receiver took the message.',
    }),
  ),
});

export type Try = Static<typeof TRY>;

/** The attempt to deliver one fact to one subscription, with its tries. Removed after 30 days. */
export const ATTEMPT = {
  id: Type.String(),
  type: { ...type, description: 'What the message is about.' },
  event_id: Type.String(),
  status: oneOf(['pending', 'delivered', 'failed', 'skipped'], {
    description:
      '`failed`: no more tries. `skipped`: the webhook was off when the message was due, or the record of the change is past ' +
      'its retention period.',
  }),
  created_at: stamp,
  body: nullable(
    Type.String({ description: 'The JSON that is sent. Null: not tried yet, or the person it named was erased.' }),
  ),
  tries: Type.Array(TRY, { description: 'The tries, at most the last 20, oldest first.' }),
};

export type Attempt = Scope &
  Static<TObject<typeof ATTEMPT>> & {
    webhook_id: string;
    /** the fact; its id is the `webhook-id` of every try */
    fact_id: string;
    /** the person of the registration */
    user_id: string | null;
    /** when it is tried next; while it is being sent: the end of the lease */
    due_at: Date;
    /** the fencing token: only the worker that leased it last may write */
    fence: number;
    /** failed tries since it was created or replayed */
    failures: number;
  };

/** Ends with the erasure of the person too: a body that was read before still names them. */
export type Lease = Pick<Attempt, 'id' | 'fence' | 'user_id'>;

export type WebhookStore = {
  /** All subscriptions of a school, oldest first. */
  list(scope: Scope): Promise<Webhook[]>;
  find(scope: Scope, id: string, tx?: Tx): Promise<Webhook | null>;
  insert(webhook: Webhook): Promise<void>;
  /** @returns null if there is no such subscription */
  change(scope: Scope, id: string, fields: Partial<Omit<Webhook, 'id'>>, tx?: Tx): Promise<Webhook | null>;
  /** Removes a subscription and its attempts. @returns false if there is no such subscription */
  remove(scope: Scope, id: string): Promise<boolean>;
  /** A subscription of any school, for workers. */
  load(id: string): Promise<Webhook | null>;
  /** Records a success, which ends a series of failures. */
  markHealthy(id: string): Promise<void>;
  /**
   * Records a failure. Failures before `forgetBefore` don't count: nothing was tried in between.
   * @returns since when every try has failed
   */
  markFailing(id: string, now: Date, forgetBefore: Date): Promise<Date>;
  /** Notes that staff are warned of these failures. @returns false if they were before, or the failures have ended */
  noteWarning(id: string, failing_since: Date, tx: Tx): Promise<boolean>;
  /** Turns a subscription off. @returns false if it was off already, or has another address by now */
  disable(webhook: Pick<Webhook, 'id' | 'url'>, reason: DisabledReason, now: Date, tx: Tx): Promise<boolean>;
};

export type AttemptStore = {
  /** Attempts of a subscription, newest first; `before`: only those of facts older than this id. */
  list(scope: Scope, webhook_id: string, query: { limit: number; before?: string }): Promise<Attempt[]>;
  /** Makes an attempt due again, with all of its retries. @returns null if there is no such attempt */
  replay(scope: Scope, webhook_id: string, id: string, now: Date): Promise<Attempt | null>;
  /** When the next attempt of each subscription is due, earliest first. Subscriptions without pending attempts are left out. */
  findNextDue(): Promise<Pick<Attempt, 'webhook_id' | 'due_at'>[]>;
  /** Leases the attempt of a subscription that is due the longest; null: none is due. */
  lease(webhook_id: string, now: Date, until: Date): Promise<Attempt | null>;
  /** Stores the body before it is sent. @returns false if the lease was lost */
  saveBody(lease: Lease, body: string): Promise<boolean>;
  /** Records a try and its result. @returns false if the lease was lost */
  record(lease: Lease, result: Pick<Attempt, 'status' | 'failures' | 'due_at'> & { try: Try }): Promise<boolean>;
  skip(lease: Lease): Promise<void>;
};
