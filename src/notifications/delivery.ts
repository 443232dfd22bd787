import { type Static, type TObject, Type } from 'typebox';
import { hashOf } from '../core/ids.ts';
import { nullable, oneOf, stamp, stampOrNull } from '../core/schema.ts';
import type { Scope } from '../people/caller.ts';
import { CHANNELS, type Channel } from '../people/channels.ts';
import type { Locale } from '../people/contact.ts';
import { ALL_TRIGGERS } from './policy/trigger.ts';

/**
 * The message may still be sent, or its result is not known (`unknown`). waiting → claimed (leased) → sending → sent;
 * `sending` is written just before sending, so only that state is ambiguous after a crash.
 */
export const OPEN_STATUSES = ['waiting', 'claimed', 'sending', 'unknown'] as const;
/** The message was sent, as far as the provider has reported. */
export const SENT_STATUSES = ['sent', 'sent_unconfirmed'] as const;
/** Nothing more happens by itself. */
const FINAL_STATUSES = [...SENT_STATUSES, 'skipped', 'failed', 'quarantined'] as const;
export const DELIVERY_STATUSES = [...OPEN_STATUSES, ...FINAL_STATUSES] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The message has reached its recipient, may have, or is about to. */
export const REACHED_STATUSES = [...SENT_STATUSES, 'claimed', 'sending', 'unknown'] as const;

/** Whether time has passed since it was drafted as meant: it was deferred, chosen for a later time, or staff retry it. */
export const hasWaited = ({ held_until, redriven_at }: Pick<Delivery, 'held_until' | 'redriven_at'>): boolean =>
  (held_until ?? redriven_at) !== null;

const isAmong =
  (statuses: readonly DeliveryStatus[]) =>
  ({ status }: { status: string }): boolean =>
    (statuses as readonly string[]).includes(status);

export const isOpen = isAmong(OPEN_STATUSES);
export const isSent = isAmong(SENT_STATUSES);

/** Why a message was not sent: the closed list, with the text for staff. */
export const REASONS = {
  left_school: 'has left the school',
  not_guardian: 'is no longer a guardian',
  no_contact: 'no contact details for this channel',
  same_address: 'goes to another recipient with the same address',
  opted_out: 'turned off by the recipient',
  suppressed: 'earlier messages to this address or number bounced or were marked as spam',
  notifications_off: 'notifications are off for this event',
  channel_off: 'this channel is not set up',
  not_visible: 'the event was hidden from this person before sending',
  event_state: 'the status of the event changed before sending',
  schedule_changed: 'the event was moved before sending',
  reminder_removed: 'the reminder was removed before sending',
  superseded: 'a newer change came before sending',
  told_before: 'already notified, and nothing has changed since',
  acknowledged: 'already confirmed',
  never_told: 'never notified of the event',
  registration_ended: 'the registration is no longer valid',
  expired: 'too late to send',
  past_due: 'the sending time had already passed',
  bad_address: 'the address or phone number does not exist',
  mailbox_full: 'the mailbox is full',
  refused: 'the provider rejected the message',
  gone: 'the browser is no longer subscribed',
  address_limit: 'daily limit for an unverified address reached',
  no_account: 'the recipient does not use this channel',
  no_template: 'no approved text for such messages on this channel',
  over_budget: 'daily SMS limit reached',
  not_sent: 'the provider did not receive the message in two attempts',
  unreachable: 'the phone was switched off or out of reach',
  tried_out: 'could not be sent within a day',
  crashed: 'sending stopped unexpectedly several times',
  errors: 'five internal errors while sending',
  erased: 'the personal data was erased before sending',
  event_gone: 'the event was deleted',
  withdrawn: 'the message was withdrawn before sending',
  discarded: 'discarded by staff',
} as const;
export type Reason = keyof typeof REASONS;

/** Reasons of failed messages that staff may retry, because the recipient's side may have fixed the problem. */
export const RETRYABLE_REASONS = [
  'bad_address',
  'mailbox_full',
  'refused',
  'not_sent',
  'unreachable',
  'tried_out',
] as const satisfies readonly Reason[];
type RetryableReason = (typeof RETRYABLE_REASONS)[number];

/** Prefix of the detail of a row that was sent in a digest; the id of the digest's first row follows. */
export const IN_DIGEST = 'in_digest ';

/** The detail of a sent message that its reader marked as spam. */
export const COMPLAINT = 'complaint';

/** What defers a message to a later time. */
export type DeferralCause = 'quiet_hours' | 'term_calendar';

/** One message to one person on one channel, as answers show it. */
export const DELIVERY = {
  id: Type.String(),
  user_id: Type.String(),
  name: Type.String(),
  on_behalf_of: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String() })),
  trigger: oneOf(ALL_TRIGGERS),
  channel: oneOf(CHANNELS),
  status: oneOf(DELIVERY_STATUSES),
  reason: nullable(oneOf(Object.keys(REASONS) as Reason[])),
  /** never an address */
  detail: nullable(Type.String({ description: 'The last code of the provider.' })),
  provider: nullable(Type.String({ description: 'The mail server or sender of the last attempt.' })),
  /** null: nothing is sent, or the current version */
  template_version: nullable(
    Type.String({ description: 'The version of the template, fixed when the message was created.' }),
  ),
  attempts: Type.Integer({ description: 'How many times sending was tried.' }),
  due_at: stamp,
  held_until: { ...stampOrNull, description: 'Until when quiet hours or school holidays hold back the message.' },
  expires_at: { ...stampOrNull, description: 'When the message becomes useless and is no longer sent.' },
  created_at: stamp,
  settled_at: { ...stampOrNull, description: 'When the result was final.' },
};

export type Person = { user_id: string; name: string };

/** A person who reads a message, and the people it concerns; an empty `on_behalf_of` means the reader. */
export type Reader = Person & { on_behalf_of: Person[] };

/**
 * The row of a message. Its id is its key: a second row of the same key can't exist. The recipient is a guardian if a student
 * has no contact of their own; `on_behalf_of` then names the student, and the recipient too if it concerns both.
 */
export type Delivery = Scope &
  Static<TObject<typeof DELIVERY>> & {
    event_id: string;
    fact_id: string;
    /** the channel that takes over if this one cannot deliver it; null: none, or it has taken over */
    fallback: Channel | null;
    urgent: boolean;
    /** other readers of this address, with the people it concerns for them */
    also: Reader[];
    /** e-mail address, E.164 number, or null for push and in-app, which use the user_id */
    address: string | null;
    /** the user who entered this address with a registration, if it is not in the directory and so unverified */
    given_by: string | null;
    /** the people who have this unverified address in the directory: their opt-outs apply */
    address_owners: string[];
    locale: Locale;
    timezone: string;
    /** the registrations it concerns: it is valid while any of them is active; empty for the audience */
    registration_ids: string[];
    /** compared by the gate: must not have changed since drafting */
    schedule_version: number;
    sequence: number;
    /** the sequences of the other dates of a series that it names, by event; missing: it names one date */
    other_sequences?: Readonly<Record<string, number>>;
    /** the reason why it waits until `held_until` (deferral.ts); null: it does not wait */
    held_for: DeferralCause | null;
    /** deferred deliveries with the same key (recipient and channel) are combined into a digest */
    digest_key: string | null;
    /** the digest it was sent in; a retry is sent under this id */
    digest_id: string | null;
    /** when the id was last put on a queue; null: not yet */
    queued_at: Date | null;
    /** the worker that leased it last, and until when; every later write is filtered by the claim */
    claim: string | null;
    lease_until: Date | null;
    /** the fencing token: how often it was leased; part of callback addresses */
    fence: number;
    errors: number;
    /** consecutive crashes of processes that had leased it */
    crashes: number;
    /** repeated once after an unknown outcome */
    repeated: boolean;
    provider_id: string | null;
    /** of a sent in-app message: the text that the inbox shows, rendered once */
    title: string | null;
    body: string | null;
    /** when staff last released it from quarantine, or want it to be sent: from then on it counts as new */
    redriven_at: Date | null;
  };

/** The sequence that one of the events of a message had when the message stated its date and place. */
export const sequenceIn = (
  { event_id, sequence, other_sequences }: Pick<Delivery, 'event_id' | 'sequence' | 'other_sequences'>,
  { id }: { id: string },
): number | undefined => (event_id === id ? sequence : other_sequences?.[id]);

/** The values of the fields that most deliveries leave empty most of the time. */
export const EMPTY_FIELDS = {
  fallback: null,
  on_behalf_of: [] as Delivery['on_behalf_of'],
  also: [] as Delivery['also'],
  address: null,
  given_by: null,
  address_owners: [] as string[],
  registration_ids: [] as string[],
  reason: null,
  detail: null,
  held_until: null,
  held_for: null,
  digest_key: null,
  digest_id: null,
  expires_at: null,
  queued_at: null,
  claim: null,
  lease_until: null,
  fence: 0,
  attempts: 0,
  errors: 0,
  crashes: 0,
  repeated: false,
  provider: null,
  provider_id: null,
  template_version: null,
  title: null,
  body: null,
  settled_at: null,
  redriven_at: null,
} satisfies Partial<Delivery>;
type EmptyField = keyof typeof EMPTY_FIELDS;

/** Completes a delivery. `Object.assign`, because spreading as many fields takes more than ten times as long. */
export const withEmptyFields = (given: Omit<Delivery, EmptyField> & Partial<Pick<Delivery, EmptyField>>): Delivery =>
  Object.assign({}, EMPTY_FIELDS as Pick<Delivery, EmptyField>, given);

export type DeliveryKey = Pick<Delivery, keyof Scope | 'event_id' | 'trigger' | 'channel'> & {
  /** distinguishes messages of one trigger: sequence, schedule version and offset, registration and count */
  version: string;
  /** the address (with the user who entered it, if unverified), or the person if there is none: one message for each */
  recipient: string;
};

/** The delivery key: sha256 of the fields that identify a message. */
export const deliveryIdOf = (key: DeliveryKey): string =>
  hashOf(key.tenant_id, key.school_id, key.event_id, key.trigger, key.version, key.channel, key.recipient);

/** Which messages of a school an operator asks for. */
export type DeliveryFilter = { [K in 'status' | 'channel' | 'trigger']?: readonly Delivery[K][] } & {
  event_id?: string;
  user_id?: string;
};

/** Failed messages that staff may retry, or a single one; `from` and `to` (exclusive) limit the time of failure. */
export type FailedFilter = {
  delivery_id?: string;
  event_id?: string;
  channel?: Channel;
  reason?: RetryableReason;
  from?: Date;
  to?: Date;
};
