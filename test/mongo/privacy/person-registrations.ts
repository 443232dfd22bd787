import { rowOf } from '../../../src/mongo/rows.ts';
import type { Scope } from '../../../src/people/caller.ts';
import { aRegistration } from '../../support/builders.ts';

type About = {
  scope: Scope;
  id: (name: string) => string;
  event_id: string;
  email: string;
  phone: string;
  /** the address that the person gave with a registration */
  given: { email: string; phone: string };
};

/** Registrations of the person, by the person for a child, for a deleted and a past event, and of someone else. */
export const registrationsOf = (user_id: string, { scope, id, event_id, email, phone, given }: About): object[] => [
  {
    ...rowOf(
      aRegistration({
        ...scope,
        event_id,
        id: id('r-own'),
        user_id,
        registered_by: 'mother',
        status: 'cancelled',
        notes: 'canary notes',
        answers: [{ question_id: 'allergies', value: 'canary seeds' }],
        cancel_reason: 'canary reason',
        contact: given,
      }),
    ),
    active: false,
  },
  {
    ...rowOf(
      aRegistration({
        ...scope,
        event_id,
        id: id('r-child'),
        user_id: 'child',
        registered_by: user_id,
        slots: [{ host_user_id: user_id, minute: 10 }],
        notes: 'nuts',
        answers: [
          {
            question_id: 'photos',
            value: true,
            consented_by: user_id,
            consented_name: 'Quirin canary',
            consented_at: new Date('2026-08-25T08:00:00Z'),
          },
        ],
        contact: { email, phone },
      }),
    ),
    active: true,
  },
  {
    ...rowOf(aRegistration({ ...scope, event_id: id('event-4'), id: id('r-deleted'), user_id, registered_by: 'x' })),
    active: true,
  },
  {
    ...rowOf(aRegistration({ ...scope, event_id: id('event-5'), id: id('r-past'), user_id, notes: 'canary notes' })),
    active: true,
  },
  {
    ...rowOf(aRegistration({ ...scope, event_id, id: id('r-other'), user_id: 'other', registered_by: 'other' })),
    active: true,
  },
];
