import type { StoredReply } from '../core/idempotency-record.ts';
import type { HeldChange } from '../events/held-change.ts';
import type { OutsideCalendar, OutsideEntry } from '../events/outside-calendar.ts';
import type { EventTally } from '../events/ports.ts';
import type { InboxSignal } from '../notifications/inbox/entry.ts';
import type { DeliveryOutcome } from '../notifications/ports.ts';
import type { Suppression } from '../notifications/providers/suppression.ts';
import type { Fact } from '../outbox/fact.ts';
import type { FactPart } from '../outbox/ports.ts';
import type { Actor, Scope } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import type { Visibility } from '../people/visibility.ts';
import type { Registration } from '../registrations/registration.ts';
import type { Row } from './rows.ts';

/** Outbox states of a fact: unpublished (urgent or not), and published but not processed. */
export const UNFINISHED = ['urgent', 'pending', 'handed_on'] as const;

/**
 * A part of the counters that statistics add up: the sum of all rows of a school is always the number of its events. The
 * transaction of a change inserts a row with the difference, so that changes never wait for each other; later a sweep adds
 * such rows to one row per month, status, visibility and activity.
 */
export type TallyRow = Scope &
  Omit<EventTally, 'upcoming'> & {
    _id: string;
    /** of the start date, YYYY-MM */
    month: string;
    visibility: Visibility;
    is_active: boolean;
    /** waits for the sweep */
    added?: true;
  };

/** Names only those fields of `events` and `facts` that the erasure of a person concerns; all are stored. */
export type HeldRow = Omit<Row<HeldChange>, 'events' | 'facts'> & {
  events: readonly { id: string }[];
  facts: readonly { actor: Actor }[];
  /** missing while the change is held */
  expires_at?: Date;
};

export type OutsideRow = Row<OutsideCalendar> & { entries: OutsideEntry[] };

export type ReplyRow = Scope & {
  _id: string;
  request: string;
  /** fencing token of the request that runs */
  mark: string;
  /** when the lock expires if there is no reply */
  running_until: Date;
  reply?: StoredReply;
  /** the answer to a calendar that the running request replaces; it counts again if that request dies */
  outdated?: StoredReply;
  expires_at: Date;
};

export type BudgetRow = { _id: string; used: number; expires_at: Date };

/** Messages counted for one address and the person who entered it; the id is a hash that reveals neither. */
export type LimitRow = { _id: string; counted: { id: string; at: Date }[]; expires_at: Date };

/** Counts of the removed deliveries of an event, without personal data. */
export type CountRow = { _id: string; outcomes: DeliveryOutcome[] };

export type SignalRow = InboxSignal & { _id: string; at: Date };

/** One row per address of a tenant; `schools`: the schools whose messages it has blocked. */
export type SuppressionRow = Omit<Suppression, 'id'> & {
  _id: string;
  tenant_id: string;
  schools: string[];
  /** set also if the address bounces at the same time */
  complained?: boolean;
};

export type FactRow = Omit<Fact, 'id'> & {
  _id: string;
  /** outbox state; missing if the fact is processed or notifies no one, so that the index stays small */
  relay?: (typeof UNFINISHED)[number];
  handed_on_at?: Date;
  parts?: FactPart[];
};

/** A person as stored: the row also has the words of the name and the addresses in the form that is searched for. */
export type ContactRow = Contact & { words?: string[]; addresses?: string[] };

/** `active`: for the unique index that allows one active registration per person and event. */
export type RegistrationRow = Row<Registration> & { active: boolean };
