import type { Caller, Scope } from '../people/caller.ts';

export const REGISTRATION_STATUSES = ['pending', 'confirmed', 'waitlisted', 'cancelled'] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];

export const REGISTRATION_KINDS = ['attendee', 'volunteer', 'speaker', 'performer'] as const;
export type RegistrationKind = (typeof REGISTRATION_KINDS)[number];

/** Who holds a registration, and how it stands: all that matters right before a message leaves. */
export type RegistrationStanding = Pick<Registration, 'id' | 'user_id' | 'status'>;

/** A person's sign-up for one event (§2.8). */
export type Registration = Scope & {
  id: string;
  event_id: string;
  user_id: string;
  kind: RegistrationKind;
  notes: string | null;
  status: RegistrationStatus;
  /** where this person wants to be told about this event; else the directory's */
  contact: { email: string | null; phone: string | null } | null;
  /** the order of joining the waitlist; kept after promotion as the record of it */
  waitlist_number: number | null;
  /** how often it was confirmed: makes two confirmations two messages */
  confirmation: number;
  registered_by: string;
  /** the registration whose end gave this one its seat, where it was a single one */
  promoted_by: string | null;
  /** why this one moved up from the waitlist; null for those who never waited or still do */
  promoted_because: PromotionCause | null;
  cancel_reason: string | null;
  created_at: Date;
  updated_at: Date;
  confirmed_at: Date | null;
  cancelled_at: Date | null;
  /** when the person came */
  checked_in_at: Date | null;
  /** of one that another service reports: what it says there, and the report that said so last */
  origin?: { external_id: string; status: RegistrationStatus; mark: string } | null;
};

/** What freed the seat somebody moved up to. */
export const PROMOTION_CAUSES = ['cancelled', 'many_cancelled', 'capacity_raised', 'published', 'found_free'] as const;
export type PromotionCause = (typeof PROMOTION_CAUSES)[number];

/** Pending and confirmed, all kinds (decisions.md, "what takes a seat"). */
export const takesSeat = (status: RegistrationStatus): boolean => status === 'pending' || status === 'confirmed';

/** Whether a registration is the caller's own or that of a child of the caller. */
export const isOwn = (
  caller: Pick<Caller, 'user_id' | 'children'>,
  { user_id }: Pick<Registration, 'user_id'>,
): boolean => user_id === caller.user_id || caller.children.includes(user_id);

export const isActive = (status: RegistrationStatus): boolean => status !== 'cancelled';
