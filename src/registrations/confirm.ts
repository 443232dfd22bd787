import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { may, missingPermission } from '../people/permissions.ts';
import { isOver } from './allowed.ts';
import type { EventQueues, RecordReply, SeatRequest } from './ports.ts';
import { type Registered, resultOf } from './register.ts';
import { record, upsert } from './seat-book.ts';

/**
 * Approves a pending registration, which already holds its seat. Approving a confirmed one changes nothing and sends no
 * second message. Always needs `events.registrations.manage`, so that people can't approve themselves.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `event_full` if waitlisted, `event_not_published`,
 * `busy`
 */
export async function confirmRegistration(
  deps: { eventQueues: EventQueues },
  caller: Caller,
  { event_id, id }: { event_id: string; id: string },
  recordReply?: RecordReply<Registered>,
): Promise<Registered> {
  const request: SeatRequest<Registered> = {
    needs: { ids: [id] },
    decide(book, now) {
      const registration = book.rows.get(id);
      if (!registration) return { code: 'not_found' };
      if (!may(caller, 'manage_registrations')) {
        return { code: 'forbidden', detail: missingPermission('manage_registrations') };
      }
      const { status } = book.event;
      if (isOver(status)) {
        return {
          code: 'event_not_published',
          detail: `The event is ${status}. Its registrations can’t be approved any more.`,
          extra: { current_status: status },
        };
      }
      const done = { result: () => resultOf(book, id) };
      switch (registration.status) {
        case 'cancelled':
          return { code: 'registration_not_active', detail: 'The registration was cancelled before.' };
        case 'waitlisted':
          return {
            code: 'event_full',
            detail: 'This person is on the waitlist. Seats go to the waitlist in order as they become free.',
          };
        case 'confirmed':
          return done;
        case 'pending': {
          const confirmation = registration.confirmation + 1;
          upsert(book, { ...registration, status: 'confirmed', confirmation, confirmed_at: now, updated_at: now });
          const data = { registration_id: id, user_id: registration.user_id, confirmation };
          record(book, actorOf(caller), now, { type: 'registration.confirmed', data });
          return done;
        }
      }
    },
  };
  return deps.eventQueues.submit(scopeOf(caller), event_id, request, recordReply);
}
