import { newId } from '../../src/core/ids.ts';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { anEvent, aRegistration } from '../support/builders.ts';
import type { Product } from './product.ts';

const OTHER = { tenant_id: 'other', school_id: 'other' };
const READER = { user_id: 'reader', name: 'Reader', email: 'reader@people.example', phone: null };
const NO_GROUPS = {
  class_ids: [],
  grade_level_ids: [],
  department_ids: [],
  guardians: [],
  locale: null,
  timezone: null,
};
const DAY = 86_400_000;

/** Creates another tenant with one reader, who gets the cancellation of an event. */
export async function otherTenant(product: Product) {
  const { database } = product;
  await contactStore(database).putMany([
    { ...OTHER, ...READER, ...NO_GROUPS, roles: ['parent'], updated_at: new Date() },
  ]);
  return {
    /** Creates an event with the reader registered. @returns its id */
    async concert(): Promise<string> {
      const starts_at = new Date(Date.now() + 7 * DAY);
      const ends_at = new Date(starts_at.getTime() + DAY);
      const { id, ...event } = anEvent({ ...OTHER, id: newId(), starts_at, ends_at, current_attendees: 1 });
      await database.collection('events').insertOne({ _id: id, ...event } as never);
      const one = aRegistration({ ...OTHER, id: newId(), event_id: id, user_id: READER.user_id });
      const { id: place, ...registration } = one;
      await database.collection('registrations').insertOne({ _id: place, ...registration, active: true } as never);
      return id;
    },

    /** @returns the time of the request */
    cancel: (id: string): Promise<number> => product.cancel(id, {}, OTHER),
  };
}
