import { type Static, type TObject, Type } from 'typebox';
import { listOf, nullable, oneOf, optional, stamp, stampOrNull, stringOrNull } from '../core/schema.ts';
import type { Slot } from '../events/rules/slots.ts';
import type { Caller, Scope } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';

export const REGISTRATION_STATUSES = ['pending', 'confirmed', 'waitlisted', 'cancelled'] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];

export const REGISTRATION_KINDS = ['attendee', 'volunteer', 'speaker', 'performer'] as const;
export type RegistrationKind = (typeof REGISTRATION_KINDS)[number];

/** The event that freed the seat of a promoted registration. */
const PROMOTION_CAUSES = ['cancelled', 'many_cancelled', 'capacity_raised', 'published', 'found_free'] as const;
export type PromotionCause = (typeof PROMOTION_CAUSES)[number];

/** A person's registration for one event. */
export const REGISTRATION = {
  id: Type.String(),
  event_id: Type.String(),
  user_id: Type.String(),
  kind: oneOf(REGISTRATION_KINDS),
  notes: nullable(Type.String()),
  answers: listOf('Answers to the questions of the event, also to those that it no longer asks.', {
    question_id: Type.String({ description: 'The id of the question.' }),
    value: Type.Unsafe<string | boolean>({
      type: ['string', 'boolean'],
      description: 'The text, the chosen option, or true for a consent.',
    }),
    consented_name: optional(Type.String({ description: 'Of a consent: the name of the person who gave it.' })),
    consented_at: optional({ ...stamp, description: 'Of a consent: when it was given.' }),
  }),
  status: oneOf(REGISTRATION_STATUSES),
  /** addresses for messages about this event; null: those of the directory */
  contact: nullable(Type.Object({ email: nullable(Type.String()), phone: nullable(Type.String()) })),
  /** kept after promotion as history */
  waitlist_number: nullable(Type.Integer({ description: 'Grows in the order in which people join the waitlist.' })),
  registered_by: Type.String({ description: 'The user id of the person who registered.' }),
  /** null unless a single cancellation freed the seat */
  promoted_by: stringOrNull('The registration whose cancellation freed this seat.'),
  promoted_because: nullable(oneOf(PROMOTION_CAUSES, { description: 'Why the seat became free.' })),
  cancel_reason: stringOrNull('Why the registration was cancelled.'),
  created_at: stamp,
  updated_at: stamp,
  confirmed_at: { ...stampOrNull, description: 'When the registration was confirmed.' },
  cancelled_at: { ...stampOrNull, description: 'When it was cancelled.' },
  checked_in_at: { ...stampOrNull, description: 'When the person was checked in.' },
};

/** The number of registrations of one status and kind. */
export const REGISTRATION_COUNT = Type.Object({
  status: oneOf(REGISTRATION_STATUSES),
  kind: oneOf(REGISTRATION_KINDS),
  count: Type.Integer({ description: 'How many there are.' }),
  checked_in: Type.Integer({ description: 'How many of them are checked in.' }),
});
export type RegistrationCount = Static<typeof REGISTRATION_COUNT>;

type Stored = Static<TObject<typeof REGISTRATION>>;

/** The answer to a question: a text, the chosen option, or true for a consent. */
export type Answer = Stored['answers'][number] & {
  /** of a consent: the user who gave it */
  consented_by?: string;
};

export type Registration = Scope &
  Omit<Stored, 'answers'> & {
    answers: Answer[];
    /** counts confirmations, so that a second confirmation sends a second message */
    confirmation: number;
    /** staff registered this person past the deadline or the capacity */
    override: boolean;
    /** `registered_by` is a guardian whom only the token names: messages don't find them in the directory */
    by_token_guardian?: true;
    /** the chosen meetings, one for each host; missing or empty: the event has none to choose */
    slots?: readonly Slot[];
    /** if another service reports it: its id and status there, and the order mark of the latest report */
    origin?: { external_id: string; status: RegistrationStatus; mark: string } | null;
  };

/** The fields of a registration that has just been made; the status may ask for others. */
export const NEW_REGISTRATION = {
  notes: null,
  answers: [],
  contact: null,
  waitlist_number: null,
  confirmation: 0,
  override: false,
  promoted_by: null,
  promoted_because: null,
  cancel_reason: null,
  confirmed_at: null,
  cancelled_at: null,
  checked_in_at: null,
} satisfies Partial<Registration>;

/** The addresses of a registration after some are given; null: none are left. */
export function contactOf(
  given: { email?: string | null; phone?: string | null } | null | undefined,
  before: Registration['contact'] = null,
): Registration['contact'] {
  if (!given) return null;
  const { email = before?.email ?? null, phone = before?.phone ?? null } = given;
  return email === null && phone === null ? null : { email, phone };
}

/** Names a registration of an event. */
export type Ids = Pick<Registration, 'event_id' | 'id'>;

/** A registration with its position on the waitlist (1 is next), if it waits. */
export type Registered = Registration & { waitlist_position: number | null };

/** The fields of a registration, besides its id, that are checked again right before a message is sent. */
export const STATE_FIELDS = [
  'event_id',
  'user_id',
  'status',
  'confirmation',
  'slots',
  'registered_by',
  'by_token_guardian',
] as const satisfies readonly (keyof Registration)[];
export type RegistrationState = Pick<Registration, 'id' | (typeof STATE_FIELDS)[number]>;

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

/** The guardians who get messages about a registered person: a student's of the directory, and one whom only a token named. */
export const guardianIdsOf = (
  contact: Pick<Contact, 'roles' | 'guardians'> | null | undefined,
  { registered_by, by_token_guardian }: { registered_by: string | null; by_token_guardian?: true },
): string[] => [
  ...(contact?.roles.includes('student') ? contact.guardians : []),
  ...(by_token_guardian && registered_by ? [registered_by] : []),
];

/** Whether a registration belongs to the caller or a child of the caller. */
export const isOwn = (caller: Caller, { user_id }: { user_id: string }): boolean => familyOf(caller).includes(user_id);

/** The people whose registrations are the caller's own. */
export const familyOf = ({ user_id, children }: Caller): string[] => [user_id, ...children];

export const isActive = (status: RegistrationStatus): boolean => status !== 'cancelled';
