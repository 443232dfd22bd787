import { newId } from '../core/ids.ts';
import type { Actor, Scope } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';

/** The dates of an event on the wall clock of its zone. */
export type Schedule = {
  start_date: string;
  end_date: string;
  start_time: string | null;
  end_time: string | null;
  timezone: string;
  all_day: boolean;
};

/** The location of an event, as notices state it. */
export type Place = {
  location_name: string | null;
  location: {
    name?: string;
    address?: string;
    room?: string;
    building?: string;
    isVirtual?: boolean;
    virtualLink?: string;
  } | null;
};

/** The payload of a fact of which people are notified; one message names all dates of a series that an operation changed. */
type OfDates<Data> = Data & {
  /** id of the lead occurrence, whose message names this date too */
  announced_with?: string;
  /** the other dates that the message of this lead occurrence names; the reason is the same for all */
  also?: ({ event_id: string } & Omit<Data, 'reason'>)[];
};

/**
 * The last announced dates, also if several edits share a notice, and the last announced place if the place has changed.
 * `changed_at`: the time of the first edit, if it was not announced yet.
 */
type Announced = { previous: Schedule; previous_place?: Place; changed_at?: Date };

/** The payload of each type of fact. */
export type FactData = {
  'event.created': { duplicated_from_id?: string; parent_event_id?: string };
  'event.scheduled': { publish_at: string | null };
  'event.published': OfDates<{
    sequence: number;
    schedule_version: number;
    /** a hash of date and place: people who got an announcement with the same hash are not notified again */
    says?: string;
    /** set after a postponement, of which registered people were notified */
    after_postponement?: true;
    /** set if the event was unpublished while people were registered */
    after_unpublishing?: true;
  }>;
  'event.unpublished': OfDates<{
    /** sequence of the publication that it ends */
    sequence: number;
    /** when registered people are notified, unless the event is published again before */
    tell_at: Date;
  }>;
  /** `previous` is set only if a change was not announced before the cancellation */
  'event.cancelled': OfDates<{ sequence: number; reason: string; notify: boolean | null } & Partial<Announced>>;
  'event.postponed': OfDates<
    Announced & {
      sequence: number;
      schedule_version: number;
      change_version: number;
      reason: string;
      date_known: boolean;
      notify: boolean | null;
    }
  >;
  'event.returned': { to: 'draft' | 'scheduled' };
  'event.changed': OfDates<
    Announced & {
      sequence: number;
      schedule_version: number;
      change_version: number;
      fields: string[];
      /** when the notice is sent, unless another change is merged into it before */
      tell_at: Date;
      /** overrides the event's own switch for this notice */
      notify?: boolean;
      /** the edit undoes an unannounced change: notify only people who learned of the event since this time */
      told_since?: Date;
    }
  >;
  'event.edited': { fields: string[] };
  'event.started': { schedule_version: number };
  'event.completed': Record<string, never>;
  'event.deleted': Record<string, never>;
  'registration.pending': RegistrationRef & NamingOfFamily;
  'registration.confirmed': RegistrationRef &
    NamingOfFamily & {
      confirmation: number;
      /** set if a waitlisted person was promoted: what freed the seat */
      promoted_by?: string;
    };
  'registration.waitlisted': RegistrationRef &
    NamingOfFamily & {
      waitlist_number: number;
      /** the position on joining; 1 is next */
      position: number;
    };
  'registration.cancelled': RegistrationRef & {
    reason: string | null;
    freed_seat: boolean;
    declined?: true;
    /** set if neither the person nor a guardian cancelled it */
    by_staff?: true;
  };
  /** a person's calendar accepted an invitation, but the rules refused the registration, with this code */
  'registration.refused': { user_id: string; code: string };
  'registration.edited': RegistrationRef & { fields: string[] };
  'registration.checked_in': RegistrationRef;
  'registration.check_in_undone': RegistrationRef;
  /** a bulk message that staff wrote to registered people */
  'message.requested': {
    subject: string;
    body: string;
    channels: string[];
    /** registrations with this status; null: pending, confirmed and waitlisted */
    status: string | null;
    /** registrations of this kind; null: any kind */
    kind: string | null;
    /** only registrations with a required question that has no answer */
    unanswered?: true;
  };
  /** staff sent a message of the school, which has no event: `event_id` is its id */
  'message.school': SentMessage;
  /** the same, sent at any hour */
  'message.urgent': SentMessage;
  /** staff withdrew a message of the school */
  'message.withdrawn': Record<string, never>;
  /** a person answered a text message about the event in words of their own */
  'message.answered': {
    /** Twilio's id of the answer, which has one fact */
    sid: string;
    user_id: string;
    /** the name in the directory, else the number */
    name: string;
    /** the address in the directory, to which the organizer can answer */
    email: string | null;
    channel: string;
    text: string;
    /** whether the organizer is notified */
    forwarded: boolean;
  };
  /** a person confirmed having read the event or message; the actor is the person, a guardian, or staff who called */
  'acknowledgement.given': { user_id: string; channel: string };
  /** staff reminded those who had not confirmed: on these channels (missing: those of the school), then (missing: at once) */
  'acknowledgement.reminded': Partial<Pick<SentMessage, 'channels' | 'tell_at'>>;
  /** many seats became free: the waitlist worker promotes people into them */
  'seats.freed': { seats: number };
  /** staff retried or discarded a quarantined message, or looked up the recipient of a message */
  'delivery.redriven': DeliveryRef;
  'delivery.discarded': DeliveryRef;
  'delivery.revealed': DeliveryRef;
  /** staff retried `count` failed messages of the event */
  'delivery.retried': { count: number };
  'reminder.due': {
    reminder_id: string;
    type: string;
    offset: number;
    schedule_version: number;
    /** when the reminder is sent, if the fact was raised ahead of time so that messages are prepared before */
    tell_at?: Date;
    /** the reminder is not sent: its time had passed when it was planned, or the event had begun when it was raised */
    missed?: 'past_due' | 'expired';
  };
};

type SentMessage = {
  channels: string[];
  /** when it is sent, unless it is withdrawn before; missing: at once */
  tell_at?: Date;
  /** a test message: this text with sample values, to `user_id` alone */
  sample?: { trigger: string; locale: Locale };
  user_id?: string;
};

type DeliveryRef = { delivery_id: string; channel: string; trigger: string };

type RegistrationRef = {
  registration_id: string;
  user_id: string;
  /** staff registered this person past the deadline or the capacity */
  override?: true;
  /** the person answered an invitation in a calendar */
  via?: 'calendar';
};

/** Of registrations made in one step with the same result, the message of the first names the others too. */
export type NamingOfFamily = {
  /** ids of the other registrations, in the order of the step */
  family?: string[];
  /** id of the registration whose message names this one */
  announced_with?: string;
};

export type FactType = keyof FactData;

/**
 * A domain event: written in the transaction of the change and never altered. (In this project, *event* always means the
 * school event.)
 */
export type Fact<T extends FactType = FactType> = {
  [K in T]: Scope & {
    id: string;
    v: number;
    type: K;
    event_id: string;
    occurred_at: Date;
    actor: Actor;
    /** the step of a trace that recorded it, if traces are on; a process that knows none ignores it */
    traceparent?: string;
    data: FactData[K];
  };
}[T];

export type NewFact<T extends FactType = FactType> = { [K in T]: Omit<Fact<K>, 'id' | 'v'> }[T];

/**
 * The newest version of the payloads. A process skips facts of a newer version and leaves them to newer processes. Only facts
 * that earlier processes must skip get a version that these don't know.
 */
export const FACT_VERSION = 8;

/** The fact as it is going to be recorded. Ids ascend, so that facts are ordered by them. */
export const withId = (fact: NewFact): Fact => ({ id: newId(), v: FACT_VERSION, ...fact });

/** The facts of all dates that the message of this fact names, its own first: each as if its date had been changed alone. */
export function factsOfDates(fact: Fact): Fact[] {
  const { also, ...own } = fact.data as { also?: { event_id: string }[]; reason?: string };
  if (!also) return [fact];
  const shared = own.reason === undefined ? {} : { reason: own.reason };
  return [fact, ...also.map(({ event_id, ...data }) => ({ ...fact, event_id, data: { ...shared, ...data } }) as Fact)];
}
