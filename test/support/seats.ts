import { storesOn } from '../../src/app/stores.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import type { Caller } from '../../src/people/caller.ts';
import type { EventQueueDeps } from '../../src/registrations/ports.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import { openEventQueues } from '../../src/registrations/seats/event-queues.ts';
import { callerOf, publishedEvent, STAFF, type Who } from './http/http-app.ts';

/** Seats on a real MongoDB, used as by one or several API processes, without HTTP. */
export async function openSeats(uri: string) {
  const database = await openDatabase(uri);
  await database.setUp();
  const stores = storesOn(database);
  return {
    ...stores,
    database,
    /** the dependencies of another process */
    eventQueues: (change: Partial<EventQueueDeps> = {}) => openEventQueues({ ...stores, ...change }),
    given: (more: Partial<SchoolEvent>) => given(stores, more),
    eventOf: async (id: string) => (await stores.events.findMany([id]))[0] as SchoolEvent,
    rowsOf: async (event_id: string) =>
      (await database
        .collection('registrations')
        .find({ event_id } as never)
        .sort({ created_at: 1, _id: 1 })
        .toArray()) as unknown as (Omit<Registration, 'id'> & { _id: string; active: boolean })[],
  };
}

export type Seats = Awaited<ReturnType<typeof openSeats>>;

async function given(stores: ReturnType<typeof storesOn>, more: Partial<SchoolEvent>): Promise<SchoolEvent> {
  const starts_at = new Date(Date.now() + 7 * 86_400_000);
  const event = { ...publishedEvent(starts_at.toISOString().slice(0, 10), new Date()), starts_at, ...more };
  await stores.transact((tx) => stores.events.insert([event], tx));
  return event;
}

export const person = (user_id: string, more: Who = {}): Caller =>
  callerOf({ roles: ['student'], permissions: ['events.view'], user_id, ...more });
export const manager: Caller = callerOf({ ...STAFF, user_id: 'organizer' });
