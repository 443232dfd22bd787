import { newId } from '../../src/core/ids.ts';
import { eventRowOf } from '../../src/mongo/events/event-row.ts';
import { contactStore } from '../../src/mongo/people/people-stores.ts';
import { registrationStore } from '../../src/mongo/registrations/registration-store.ts';
import { aContact, anEvent, aRegistration } from '../support/builders.ts';
import type { Product } from './product.ts';

const OTHER = { tenant_id: 'other', school_id: 'other' };
const READER = aContact('reader', { ...OTHER, email: 'reader@people.example', roles: ['parent'] });
const DAY = 86_400_000;

/** Creates another tenant with one reader, who gets the cancellation of an event. */
export async function otherTenant(product: Product) {
  const { database } = product;
  await contactStore(database).putMany([READER]);
  return {
    /** Creates an event with the reader registered. @returns its id */
    async concert(): Promise<string> {
      const starts_at = new Date(Date.now() + 7 * DAY);
      const ends_at = new Date(starts_at.getTime() + DAY);
      const id = newId();
      const event = anEvent({ ...OTHER, id, starts_at, ends_at, current_attendees: 1 });
      await database.collection('events').insertOne(eventRowOf(event) as never);
      const registration = aRegistration({ ...OTHER, id: newId(), event_id: id, user_id: READER.user_id });
      await database.transact((tx) => registrationStore(database).insertMany([registration], tx));
      return id;
    },

    /** @returns the time of the request */
    cancel: (id: string): Promise<number> => product.cancel(id, {}, OTHER),
  };
}
