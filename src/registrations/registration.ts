import type { Slot } from '../events/rules/slots.ts';
import type { Caller, Scope } from '../people/caller.ts';

export const REGISTRATION_STATUSES = ['pending', 'confirmed', 'waitlisted', 'cancelled'] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];

export const REGISTRATION_KINDS = ['attendee', 'volunteer', 'speaker', 'performer'] as const;
export type RegistrationKind = (typeof REGISTRATION_KINDS)[number];

/** The answer to a question: a text, the chosen option, or true for a consent. */
export type Answer = {
  question_id: string;
  value: string | boolean;
  /** of a consent: the user who gave it, the name at that time, and when */
  consented_by?: string;
  consented_name?: string;
  consented_at?: Date;
};

/** The part of a registration that is checked again right before a message is sent. */
export type RegistrationState = Pick<Registration, 'id' | 'event_id' | 'user_id' | 'status' | 'slots'>;

/** A person's registration for one event. */
export type Registration = Scope & {
  id: string;
  event_id: string;
  user_id: string;
  kind: RegistrationKind;
  notes: string | null;
  /** answers to the questions of the event, also to those that it no longer asks */
  answers: Answer[];
  status: RegistrationStatus;
  /** addresses for messages about this event; null: those of the directory */
  contact: { email: string | null; phone: string | null } | null;
  /** order of joining the waitlist; kept after promotion as history */
  waitlist_number: number | null;
  /** counts confirmations, so that a second confirmation sends a second message */
  confirmation: number;
  registered_by: string;
  /** staff registered this person past the deadline or the capacity */
  override: boolean;
  /** the cancelled registration whose seat this one got, if it was a single one */
  promoted_by: string | null;
  /** why it was promoted from the waitlist; null if it never was */
  promoted_because: PromotionCause | null;
  cancel_reason: string | null;
  created_at: Date;
  updated_at: Date;
  confirmed_at: Date | null;
  cancelled_at: Date | null;
  /** when the person was checked in */
  checked_in_at: Date | null;
  /** the chosen meetings, one for each host; missing or empty: the event has none to choose */
  slots?: readonly Slot[];
  /** if another service reports it: its id and status there, and the order mark of the latest report */
  origin?: { external_id: string; status: RegistrationStatus; mark: string } | null;
};

/** The event that freed the seat of a promoted registration. */
export const PROMOTION_CAUSES = ['cancelled', 'many_cancelled', 'capacity_raised', 'published', 'found_free'] as const;
export type PromotionCause = (typeof PROMOTION_CAUSES)[number];

/** Pending and confirmed registrations of every kind take a seat. */
export const takesSeat = (status: RegistrationStatus): boolean => status === 'pending' || status === 'confirmed';

const COUNTED = {
  current_attendees: ({ status }) => takesSeat(status),
  waitlisted: ({ status }) => status === 'waitlisted',
  confirmed: ({ status }) => status === 'confirmed',
  checked_in: ({ status, checked_in_at }) => status === 'confirmed' && checked_in_at !== null,
} satisfies Record<string, (registration: Pick<Registration, 'status' | 'checked_in_at'>) => boolean>;

/** The counters of an event that follow from its registrations. */
export type SeatCounter = keyof typeof COUNTED;
export const SEAT_COUNTERS = Object.keys(COUNTED) as SeatCounter[];

/** Adds a registration to the counters of its event, or removes it. */
export function count(
  counters: Record<SeatCounter, number>,
  registration: Pick<Registration, 'status' | 'checked_in_at'>,
  step: 1 | -1 = 1,
): void {
  for (const name of SEAT_COUNTERS) if (COUNTED[name](registration)) counters[name] += step;
}

/** Whether a registration belongs to the caller or a child of the caller. */
export const isOwn = (
  caller: Pick<Caller, 'user_id' | 'children'>,
  { user_id }: Pick<Registration, 'user_id'>,
): boolean => user_id === caller.user_id || caller.children.includes(user_id);

export const isActive = (status: RegistrationStatus): boolean => status !== 'cancelled';
