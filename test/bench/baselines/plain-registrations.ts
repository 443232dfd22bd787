import { newId } from '../../../src/core/ids.ts';
import { admit } from '../../../src/registrations/seats/admission.ts';
import { aRegistration } from '../../support/builders.ts';
import { manager, type openSeats } from '../../support/seats.ts';
import { repeat } from '../repeat.ts';

/** A transaction per registration, as one would write it without batches. @returns milliseconds */
export const plainRegistrations = (
  seats: Awaited<ReturnType<typeof openSeats>>,
  event_id: string,
  count: number,
  inFlight: number,
): Promise<number> => repeat(count, inFlight, (n) => registerPlainly(seats, event_id, `plain-${n}`));

async function registerPlainly(seats: Awaited<ReturnType<typeof openSeats>>, event_id: string, user_id: string) {
  for (;;) {
    const done = await seats
      .transact(async (tx) => {
        const event = await seats.events.find(manager, event_id, tx);
        if (!event) throw new Error('the event is gone');
        const now = new Date();
        const admission = admit(event, now);
        if ('code' in admission) throw new Error(admission.code);
        const waits = admission.status === 'waitlisted';
        const { tenant_id, school_id } = manager;
        const whose = { tenant_id, school_id, event_id, user_id };
        const registration = aRegistration({ ...whose, id: newId(), status: admission.status, confirmation: 0 });
        await seats.registrations.insertMany([registration], tx);
        const taken = event.current_attendees + (waits ? 0 : 1);
        const waitlisted = event.waitlisted + (waits ? 1 : 0);
        const counted = { ...event, version: event.version + 1, current_attendees: taken, waitlisted };
        await seats.events.replaceMany([{ before: event, after: counted }], tx);
        const data = { registration_id: registration.id, user_id };
        const head = { tenant_id: event.tenant_id, school_id: event.school_id, event_id, occurred_at: now };
        await seats.facts.record([{ ...head, actor: 'system', type: 'registration.pending', data }], tx);
        return true;
      })
      .catch((error) => {
        if (error.refusal?.code === 'busy') return false; // twenty seconds of losing: again
        throw error;
      });
    if (done) return;
  }
}
