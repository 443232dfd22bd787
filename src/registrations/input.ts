import { type Static, Type } from 'typebox';
import { flag, line, nullable, oneOf, optional, strict, text } from '../core/schema.ts';
import { LIMITS } from '../events/limits.ts';
import { email, id, phone } from '../people/schema.ts';
import { REGISTRATION_KINDS } from './registration.ts';

export const SLOT = {
  host_user_id: { ...id, description: 'The teacher.' },
  minute: Type.Integer({
    minimum: 0,
    description: 'When the meeting begins, in minutes after the start of the event.',
  }),
};
export const CHOSEN_SLOTS = Type.Array(strict(SLOT), {
  maxItems: 60,
  description: 'The meetings to choose, one for each teacher, if the event has any (`GET …/events/{id}/slots`).',
});

const ANSWERS = Type.Array(
  strict({
    question_id: line(50, { description: 'The id of the question in `registration_questions` of the event.' }),
    value: Type.Unsafe<string | boolean>({
      type: ['string', 'boolean'],
      maxLength: LIMITS.answer,
      description: 'A text, an option of a choice, or true for a consent. An empty text or false removes the answer.',
    }),
  }),
  { maxItems: 10, description: 'Answers to the questions of the event.' },
);

export const REGISTER = strict(
  {
    kind: oneOf(REGISTRATION_KINDS),
    notes: optional(nullable(text(LIMITS.notes))),
    answers: optional(ANSWERS),
    user_id: optional({
      ...id,
      description: 'The person to register, if not yourself: your child, or anyone if you manage registrations.',
    }),
    slots: optional(CHOSEN_SLOTS),
    waitlist: flag(
      'False: if the event is full, answer `event_full` instead of joining the waitlist. True by default.',
    ),
    override: flag(
      'True: register this person past the deadline and the capacity. Needs `events.registrations.manage`, and is recorded ' +
        'in the timeline.',
    ),
    contact: optional(nullable(strict({ email: optional(nullable(email)), phone: optional(nullable(phone)) }))),
  },
  { examples: [{ kind: 'attendee', notes: 'Two seats near the door, please.' }] },
);

const { user_id, kind, notes, answers, slots, contact, waitlist, override } = REGISTER.properties;

/** One person to register, with what may differ within a family. */
const APPLICANT = strict({ user_id, kind, notes, answers, slots });

export const REGISTER_FAMILY = strict(
  {
    people: Type.Array(APPLICANT, {
      minItems: 1,
      maxItems: LIMITS.family,
      description: 'The people to register, in this order.',
    }),
    together: flag(
      'True: all get a place, or all join the waitlist of a full event; otherwise the answer is `event_full` with ' +
        '`available_spots`. False by default: each person gets a place or joins the waitlist.',
    ),
    waitlist,
    override,
    contact,
  },
  {
    examples: [
      {
        people: [
          { user_id: 'child-1', kind: 'attendee' },
          { user_id: 'child-2', kind: 'attendee' },
        ],
        together: true,
      },
    ],
  },
);

export const EDIT_REGISTRATION = strict(
  { kind: optional(kind), notes, contact, answers },
  { examples: [{ notes: 'Three seats, please.', contact: { phone: '+420601234567' } }] },
);

/** An answer as people send it; an empty text or false removes it. */
export type GivenAnswer = Static<typeof ANSWERS>[number];

/** `via`: set if the person's calendar answered an invitation; recorded in the timeline. */
type Via = { via?: 'calendar' };

/** `user_id`: by default the caller. */
export type RegisterInput = Static<typeof REGISTER> & Via;
/** `at`: JSON pointer of the person in the request; by default the place in `people`. */
type Person = Static<typeof APPLICANT> & { at?: string };
export type RegisterFamilyInput = Omit<Static<typeof REGISTER_FAMILY>, 'people'> & Via & { people: readonly Person[] };
export type Applicant = Person & { user_id: string };

/** `contact`: null removes both addresses, a missing one stays; so do answers that are not named. */
export type RegistrationEdit = Static<typeof EDIT_REGISTRATION>;
