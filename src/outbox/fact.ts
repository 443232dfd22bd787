import type { Actor, Scope } from '../people/caller.ts';

/** The version of the payloads below; a process leaves facts of a newer one to newer processes. */
export const FACT_VERSION = 1;

/** Wall-clock dates as an event holds them. */
export type Schedule = {
  start_date: string;
  end_date: string;
  start_time: string | null;
  end_time: string | null;
  timezone: string;
  all_day: boolean;
};

/** Where an event is, as people find it. */
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

/** What each kind of fact says beyond who, when and which event. */
export type FactData = {
  'event.created': { duplicated_from_id?: string; parent_event_id?: string };
  'event.scheduled': { publish_at: string | null };
  'event.published': {
    sequence: number;
    schedule_version: number;
    /** the occurrence whose announcement tells of this one too: the audience of a series is told once */
    announced_with?: string;
    /** a digest of when and where: two announcements that say the same are one to whoever heard the first */
    says?: string;
    /** people who kept their places were told that the date is another one, or not known */
    after_postponement?: true;
  };
  'event.unpublished': Record<string, never>;
  'event.cancelled': { sequence: number; reason: string; notify: boolean | null };
  'event.postponed': {
    sequence: number;
    schedule_version: number;
    change_version: number;
    reason: string;
    /** the dates before; the event itself already has the new ones */
    previous: Schedule;
    /** where it was, as far as people know; only where that has changed */
    previous_place?: Place;
    date_known: boolean;
    notify: boolean | null;
  };
  'event.returned': { to: 'draft' | 'scheduled' };
  'event.changed': {
    sequence: number;
    schedule_version: number;
    change_version: number;
    fields: string[];
    /** the dates people last knew, also where several edits have joined */
    previous: Schedule;
    /** where it was, as far as people know; only where that has changed */
    previous_place?: Place;
    /** when people are told, unless another change joins this one until then */
    tell_at: Date;
    /** overrides the event's own switch for this notice */
    notify?: boolean;
    /** it undoes a change nobody was told of yet: only whoever heard of the event since then learns of it */
    told_since?: Date;
  };
  'event.edited': { fields: string[] };
  'event.started': { schedule_version: number };
  'event.completed': Record<string, never>;
  'event.deleted': Record<string, never>;
  'registration.pending': RegistrationRef;
  'registration.confirmed': RegistrationRef & {
    confirmation: number;
    /** set when a waitlisted person moved up: what freed the seat */
    promoted_by?: string;
  };
  'registration.waitlisted': RegistrationRef & { waitlist_number: number };
  'registration.cancelled': RegistrationRef & { reason: string | null; freed_seat: boolean; declined?: true };
  'registration.checked_in': RegistrationRef;
  /** a bulk message to those registered, by staff; its text is theirs */
  'message.requested': {
    subject: string;
    body: string;
    channels: string[];
    /** of the registrations it is for; null: pending, confirmed and waitlisted, of any kind */
    status: string | null;
    kind: string | null;
  };
  /** many seats at once: the waitlist worker gives them on */
  'seats.freed': { seats: number };
  /** staff took a message out of quarantine, to be sent after all or never */
  'delivery.redriven': DeliveryRef;
  'delivery.discarded': DeliveryRef;
  /** staff retried so many failed messages of the event at once */
  'delivery.retried': { count: number };
  /** somebody who looks after deliveries was shown whom one is for */
  'delivery.revealed': DeliveryRef;
  'reminder.due': {
    reminder_id: string;
    type: string;
    offset: number;
    schedule_version: number;
    /** when people are told, where that is still to come: what they are told is made ready before */
    tell_at?: Date;
    /** nobody is reminded: its time had passed when it was planned, or its event had begun when it was raised */
    missed?: 'past_due' | 'expired';
  };
};

export type DeliveryRef = { delivery_id: string; channel: string; trigger: string };

export type RegistrationRef = { registration_id: string; user_id: string };

export type FactType = keyof FactData;

/**
 * A thing the program recorded as having happened, written in the transaction of the change itself and never altered.
 * (An *event*, in this project, is always the school event.)
 */
export type Fact<T extends FactType = FactType> = {
  [K in T]: Scope & {
    id: string;
    v: number;
    type: K;
    event_id: string;
    occurred_at: Date;
    actor: Actor;
    data: FactData[K];
  };
}[T];

export type NewFact<T extends FactType = FactType> = { [K in T]: Omit<Fact<K>, 'id' | 'v'> }[T];

/** Facts that come in floods, at the full hour, and concern the few who are registered for each event. */
export const COMES_IN_FLOODS: readonly FactType[] = ['reminder.due', 'event.started', 'event.completed'];
