import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { may, missingPermission } from '../people/permissions.ts';
import { isOver } from './allowed.ts';
import type { EventQueues, Keep, SeatRequest } from './ports.ts';
import { type Registered, standingOf } from './register.ts';
import { put, say } from './seat-book.ts';

/**
 * Approves somebody who is pending; the seat is theirs already. One who is confirmed stays so, without a second message.
 * Approving oneself would make approval empty, so it takes `events.registrations.manage`.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `event_full` for one who waits, `event_not_published`, `busy`
 */
export async function confirmRegistration(
  deps: { lanes: EventQueues },
  caller: Caller,
  { event_id, id }: { event_id: string; id: string },
  keep?: Keep<Registered>,
): Promise<Registered> {
  const request: SeatRequest<Registered> = {
    needs: { ids: [id] },
    decide(sheet, now) {
      const registration = sheet.rows.get(id);
      if (!registration) return { code: 'not_found' };
      if (!may(caller, 'manage_registrations')) {
        return { code: 'forbidden', detail: missingPermission('manage_registrations') };
      }
      const { status } = sheet.event;
      if (isOver(status)) {
        return {
          code: 'event_not_published',
          detail: `The event is ${status}. Its registrations can’t be approved any more.`,
          extra: { current_status: status },
        };
      }
      const told = { tell: () => standingOf(sheet, id) };
      switch (registration.status) {
        case 'cancelled':
          return { code: 'registration_not_active', detail: 'The registration was cancelled before.' };
        case 'waitlisted':
          return {
            code: 'event_full',
            detail: 'This person is on the waitlist. Seats go to the waitlist in order as they become free.',
          };
        case 'confirmed':
          return told;
        case 'pending': {
          const confirmation = registration.confirmation + 1;
          put(sheet, { ...registration, status: 'confirmed', confirmation, confirmed_at: now, updated_at: now });
          const data = { registration_id: id, user_id: registration.user_id, confirmation };
          say(sheet, actorOf(caller), now, { type: 'registration.confirmed', data });
          return told;
        }
      }
    },
  };
  return deps.lanes.ask(scopeOf(caller), event_id, request, keep);
}
