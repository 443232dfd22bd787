import { actorOf } from '../people/caller.ts';
import { isOver } from './allowed.ts';
import type { Ids } from './registration.ts';
import { record, resultOf, upsert } from './seats/seat-book.ts';
import { seatOperation, staffRequest } from './seats/store-seat-book.ts';

/**
 * Approves a pending registration, which already holds its seat. Approving a confirmed one changes nothing and sends no
 * second message. Always needs `events.registrations.manage`, so that people can't approve themselves.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `event_full` if waitlisted, `event_not_published`,
 * `busy`
 */
export const confirmRegistration = seatOperation((caller, { id }: Ids) =>
  staffRequest(caller, id, (book, registration, now) => {
    const { status } = book.event;
    if (isOver(status)) {
      return {
        code: 'event_not_published',
        detail: `The event is ${status}. Its registrations can’t be approved any more.`,
        extra: { current_status: status },
      };
    }
    switch (registration.status) {
      case 'cancelled':
        return { code: 'registration_not_active', detail: 'The registration was cancelled before.' };
      case 'waitlisted':
        return {
          code: 'event_full',
          detail: 'This person is on the waitlist. Seats go to the waitlist in order as they become free.',
        };
      case 'pending': {
        const confirmation = registration.confirmation + 1;
        upsert(book, { ...registration, status: 'confirmed', confirmation, confirmed_at: now, updated_at: now });
        const data = { registration_id: id, user_id: registration.user_id, confirmation };
        record(book, actorOf(caller), now, { type: 'registration.confirmed', data });
      }
    }
    return { result: () => resultOf(book, id) };
  }),
);
