import { type Static, Type } from 'typebox';
import { nullable, oneOf, stamp } from '../core/schema.ts';
import type { Tx } from '../core/transaction.ts';
import type { FactType } from '../outbox/fact.ts';
import type { Scope } from '../people/caller.ts';

/**
 * The facts that a subscription may choose, and the fields of each that its messages contain besides ids. Texts about a person
 * are not among them.
 */
const FIELDS = {
  'event.created': ['parent_event_id', 'duplicated_from_id'],
  'event.scheduled': ['publish_at'],
  'event.published': [],
  'event.unpublished': [],
  'event.cancelled': ['reason'],
  'event.postponed': ['reason', 'previous', 'date_known'],
  'event.returned': ['to'],
  'event.changed': ['fields', 'previous'],
  'event.edited': ['fields'],
  'event.started': [],
  'event.completed': [],
  'event.deleted': [],
  'registration.pending': [],
  'registration.confirmed': [],
  'registration.waitlisted': ['position'],
  'registration.cancelled': ['declined', 'by_staff'],
  'registration.refused': ['code'],
  'registration.edited': ['fields'],
  'registration.checked_in': [],
  'registration.check_in_undone': [],
} as const satisfies Partial<Record<FactType, readonly string[]>>;

export type WebhookType = keyof typeof FIELDS;

export const WEBHOOK_TYPES = Object.keys(FIELDS) as WebhookType[];

export const isWebhookType = (type: FactType): type is WebhookType => type in FIELDS;

/** The fields of a fact that messages about it contain. */
export const shownFields = (type: WebhookType): readonly string[] => FIELDS[type];

/** Why a subscription was turned off: its receiver answered 410, or every try failed for days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

/** A signing secret, `whsec_…`; `until`: when it ends, after a newer one has replaced it. */
export type Secret = { value: string; until: Date | null };

/** A subscription of a school: an address that is sent the facts of these types. */
export type Webhook = Scope & {
  id: string;
  /** a public https address, or one that the operator allows */
  url: string;
  types: WebhookType[];
  description: string | null;
  enabled: boolean;
  /** why it was turned off; null: by staff, or it is on */
  disabled_reason: (typeof DISABLED_REASONS)[number] | null;
  disabled_at: Date | null;
  /** newest first; the others were replaced within a day */
  secrets: Secret[];
  /** since when every try has failed; null: the last try succeeded */
  failing_since: Date | null;
  last_failure_at: Date | null;
  created_at: Date;
};

/** Why a try failed; `refused`: the answer was not 2xx. */
const PROBLEMS = ['unreachable', 'timeout', 'private_address', 'refused'] as const;

/** One request to the receiver. */
export const TRY = Type.Object({
  at: { ...stamp, description: 'When it was tried.' },
  ms: Type.Integer({ description: 'How many milliseconds it took.' }),
  status_code: nullable(Type.Integer({ description: 'The HTTP status of the answer. Null: there was none.' })),
  problem: nullable(
    oneOf(PROBLEMS, {
      description:
        'Why the try failed. `private_address`: the address is not on the internet. `refused`: the status was not 2xx. ' +
        'Null: the receiver took the message.',
    }),
  ),
});

export type Try = Static<typeof TRY>;

/** `skipped`: the subscription was off, or the fact has been deleted. */
export const ATTEMPT_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;

/** The attempt to deliver one fact to one subscription, with its tries. Removed after 30 days. */
export type Attempt = Scope & {
  id: string;
  webhook_id: string;
  /** the fact; its id is the `webhook-id` of every try */
  fact_id: string;
  event_id: string;
  /** the person of the registration */
  user_id: string | null;
  type: WebhookType;
  status: (typeof ATTEMPT_STATUSES)[number];
  /** the JSON that is sent, the same in every try; null: before the first try, and after the person was erased */
  body: string | null;
  created_at: Date;
  /** when it is tried next; while it is being sent: the end of the lease */
  due_at: Date;
  /** the fencing token: only the worker that leased it last may write */
  fence: number;
  /** failed tries since it was created or replayed */
  failures: number;
  /** newest last */
  tries: Try[];
};

export type Lease = Pick<Attempt, 'id' | 'fence'>;

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
  /** Turns a subscription off. @returns false if it was off already */
  disable(id: string, reason: NonNullable<Webhook['disabled_reason']>, now: Date, tx: Tx): Promise<boolean>;
};

export type AttemptStore = {
  /** Attempts of a subscription, newest first; `before`: only those of facts older than this id. */
  list(scope: Scope, webhook_id: string, query: { limit: number; before?: string | undefined }): Promise<Attempt[]>;
  /** Makes an attempt due again, with all of its retries. @returns null if there is no such attempt */
  replay(scope: Scope, webhook_id: string, id: string, now: Date): Promise<Attempt | null>;
  /** When the next attempt of each subscription is due, earliest first. Subscriptions without pending attempts are left out. */
  nextDue(): Promise<Pick<Attempt, 'webhook_id' | 'due_at'>[]>;
  /** Leases the attempt of a subscription that is due the longest; null: none is due. */
  lease(webhook_id: string, now: Date, until: Date): Promise<Attempt | null>;
  /** Stores the body before it is sent. @returns false if the lease was lost */
  saveBody(lease: Lease, body: string): Promise<boolean>;
  /** Records a try and its result. @returns false if the lease was lost */
  record(lease: Lease, result: Pick<Attempt, 'status' | 'failures' | 'due_at'> & { try: Try }): Promise<boolean>;
  skip(lease: Lease): Promise<void>;
};
