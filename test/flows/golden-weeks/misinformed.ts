import type { SchoolEvent } from '../../../src/events/event.ts';
import { inShort, spanOf } from '../../../src/notifications/content/when.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { PEOPLE } from './history-steps.ts';
import type { SimulatedSchool } from './simulated-school.ts';

const ENDED: readonly Trigger[] = ['registration.declined', 'registration.cancelled'];

/** The claim of a message about its event: news about a registration mean that it is planned. */
const claimOf = (trigger: Trigger) =>
  trigger === 'event.cancelled' ? 'cancelled' : trigger === 'event.unpublished' ? 'revised' : 'planned';
/** The claim that the last message about an event should make. */
const truthOf = ({ status }: SchoolEvent) =>
  status === 'cancelled' ? 'cancelled' : status === 'published' ? 'planned' : null;

/** Finds the people whose last message about an event is not true, with what it says and what is true. */
export async function findMisinformed({ messages, rowsOf }: SimulatedSchool): Promise<string[]> {
  const registrations = await rowsOf<Registration>('registrations');
  const events = (await rowsOf<SchoolEvent>('events')).filter((event) => event.deleted_at === null);
  return events.flatMap((event) => {
    const about = messages.filter(({ dates }) => event.id in dates);
    const own = registrations.filter(({ event_id }) => event_id === event.id);
    const active = own.filter(({ status }) => status !== 'cancelled').map(({ user_id }) => user_id);
    // An edit may have left readers of an announcement out of the audience.
    const addressed = PEOPLE.filter(({ roles = [] }) =>
      event.target_audience.some((one) => one === 'all' || roles.some((role) => one.startsWith(role))),
    ).map(({ name }) => name.toLowerCase());
    const readers = event.registration_type === 'none' ? about.flatMap(({ reader }) => reader) : [];
    const invited = readers.filter((user_id) => addressed.includes(user_id));
    const truth = truthOf(event);
    const when = inShort(spanOf(event, event.timezone), 'en', 2026);
    return [...new Set([...active, ...invited])].flatMap((user_id) => {
      if (!truth || (own.some((row) => row.user_id === user_id) && !active.includes(user_id))) return [];
      const last = about.filter(({ reader, trigger }) => reader.includes(user_id) && !ENDED.includes(trigger)).at(-1);
      const claim = last && claimOf(last.trigger);
      const isOld = claim === 'planned' && last?.dates[event.id] !== when;
      return claim === truth && !(truth === 'planned' && isOld)
        ? []
        : [
            `${user_id} last read “${last?.trigger} ${last?.dates[event.id]}”, but ${event.title} is ${event.status} ${when}`,
          ];
    });
  });
}
