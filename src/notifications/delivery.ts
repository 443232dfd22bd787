import { digestOf } from '../core/ids.ts';
import type { Scope } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import type { Reader } from './policy/readers.ts';
import type { Channel, Trigger } from './policy/trigger.ts';

/**
 * Its message may still leave, or what became of it is awaited (`unknown`). waiting → claimed (leased) → sending → sent;
 * `sending` is written when the message has a connection, so only that state is ambiguous after a crash.
 */
export const OPEN_STATUSES = ['waiting', 'claimed', 'sending', 'unknown'] as const;
/** It has left, as far as anybody knows. */
export const SENT_STATUSES = ['sent', 'sent_unconfirmed'] as const;
/** Nothing more happens by itself. */
export const FINAL_STATUSES = [...SENT_STATUSES, 'skipped', 'failed', 'quarantined'] as const;
export const DELIVERY_STATUSES = [...OPEN_STATUSES, ...FINAL_STATUSES] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** It has reached somebody, or may have, or is about to. */
export const REACHED_STATUSES = [...SENT_STATUSES, 'claimed', 'sending', 'unknown'] as const;

const isAmong =
  (statuses: readonly DeliveryStatus[]) =>
  ({ status }: { status: string }): boolean =>
    (statuses as readonly string[]).includes(status);

export const isOpen = isAmong(OPEN_STATUSES);
export const isSent = isAmong(SENT_STATUSES);

/** Why somebody was not told: the closed list, with the words staff read. */
export const REASONS = {
  no_contact: 'there is no address for this channel',
  same_address: 'somebody with the same address was told',
  opted_out: 'this person does not want such messages on this channel',
  suppressed: 'the address is left alone: a message to it came back, or was called unwanted there',
  notifications_off: 'notifications are switched off for this event',
  channel_off: 'this channel is not set up',
  not_visible: 'the event was hidden from this person before the message left',
  event_state: 'the event is no longer in the state the message tells of',
  schedule_changed: 'the event was moved after this was planned',
  reminder_removed: 'the reminder was taken off the event before it left',
  superseded: 'a later message says more',
  told_before: 'this person has heard of it, and nothing has changed since',
  never_told: 'this person had not heard of the event',
  registration_ended: 'the registration is no longer active',
  expired: 'it would have come too late',
  past_due: 'its time had passed when it was planned',
  bad_address: 'the address does not exist',
  mailbox_full: 'the mailbox is full',
  refused: 'the provider refused the message',
  gone: 'the browser no longer takes messages',
  address_limit: 'too many messages in a day to an address that the directory does not have for this person',
  over_budget: 'the text messages of this day are used up',
  not_sent: 'the provider never got the message, although it was sent twice',
  tried_out: 'it could not be handed over within a day',
  crashed: 'processes ended again and again while it was sent',
  errors: 'five faults of our own while it was sent',
  erased: 'the person was erased before the message left',
  event_gone: 'the event no longer exists',
  discarded: 'staff decided that it is not to be sent',
} as const;
export type Reason = keyof typeof REASONS;

/** Reasons of failed messages that staff may retry: what the other side did may have been mended since. */
export const RETRYABLE_REASONS = [
  'bad_address',
  'mailbox_full',
  'refused',
  'not_sent',
  'tried_out',
] as const satisfies readonly Reason[];
export type RetryableReason = (typeof RETRYABLE_REASONS)[number];

/** How the detail of a row begins that was told by another one's message; the id of that one follows. */
export const IN_DIGEST = 'in_digest ';

/** The detail of what was sent, and called unwanted by its reader. */
export const COMPLAINT = 'complaint';

/** One message to one person on one channel. The row's id is its key: a second row of the same key can't exist. */
export type Delivery = Scope & {
  id: string;
  event_id: string;
  fact_id: string;
  trigger: Trigger;
  channel: Channel;
  urgent: boolean;
  /** who receives it; a guardian where a student has no contact of their own */
  user_id: string;
  /** the students (or others) it is about, when not the receiver; with the receiver where it is about both */
  on_behalf_of: { user_id: string; name: string }[];
  /** others who read what comes to this address, and whom it is about for them */
  also: Reader[];
  name: string;
  /** e-mail address, E.164 number, or null for push and in-app, which go by user_id */
  address: string | null;
  /** who gave this address with a registration, if the directory does not have it for its reader: nobody has verified it */
  given_by: string | null;
  /** the people who have this unverified address in the directory: their opt-outs apply */
  address_owners: string[];
  locale: Locale;
  timezone: string;
  /** the registrations it is about: it is true as long as any of them is; none for the audience */
  registration_ids: string[];
  /** what must not have changed since: compared by the gate */
  schedule_version: number;
  sequence: number;
  status: DeliveryStatus;
  reason: Reason | null;
  /** last provider code, never an address */
  detail: string | null;
  due_at: Date;
  /** it waits for its reader's morning until then (hold.ts); null: it does not, or not any more than others */
  held_until: Date | null;
  /** of those held, whoever has the same one is told in one message: the receiver on this channel */
  digest_key: string | null;
  /** the message it was put into with others, or alone, before that left: whatever is tried again goes under this id */
  digest_id: string | null;
  /** when that message's first row was drafted; known while the message is sent again, not stored */
  digest_at?: Date | undefined;
  expires_at: Date | null;
  /** when the id was last put on a queue; null: not yet */
  queued_at: Date | null;
  /** who leased it last, and until when; every later write is filtered by the claim */
  claim: string | null;
  lease_until: Date | null;
  /** the fencing token: how often it was leased; carried in callback addresses */
  fence: number;
  attempts: number;
  errors: number;
  /** ends of processes in a row while it was leased */
  crashes: number;
  /** repeated once after an unknown outcome */
  repeated: boolean;
  /** which server or sender had it last */
  provider: string | null;
  provider_id: string | null;
  /** which version of the texts it is sent with: settled when it is drafted; null: nothing is sent, or those there are */
  template_version: string | null;
  created_at: Date;
  settled_at: Date | null;
  /** when staff last took it out of quarantine: from then on it is tried as if it were new */
  redriven_at: Date | null;
};

export type DeliveryKey = Scope & {
  event_id: string;
  trigger: Trigger;
  /** what makes two messages of one trigger different: sequence, schedule version and offset, registration and count */
  version: string;
  channel: Channel;
  /** the address where there is one (with whoever gave it, if it is unverified), else the person: one message for each */
  recipient: string;
};

/** The delivery key (delivery.md): sha256 of everything that makes two messages one. */
export const deliveryIdOf = (key: DeliveryKey): string =>
  digestOf(key.tenant_id, key.school_id, key.event_id, key.trigger, key.version, key.channel, key.recipient);
