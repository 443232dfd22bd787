import { expect } from 'vitest';
import { chunksOf } from '../../../src/core/groups.ts';
import { newId } from '../../../src/core/ids.ts';
import { registrationStore } from '../../../src/mongo/registrations/registration-store.ts';
import { aRegistration } from '../../support/builders.ts';
import {
  contactOf,
  contactsOf,
  E,
  eventually,
  publishEvent,
  putPeople,
  startWorld,
  type World,
} from '../../support/world.ts';

/** Outside of every audience. */
const ADAM = { user_id: 'adam', roles: ['external' as const] };

/**
 * Starts a world with a large tenant and another one of a single person; an `adam` of each gets no announcement. The mail
 * rate is limited, so that bulk mail takes equally long on any machine.
 */
export async function twoTenants(people: number, rate: number | null, env: Record<string, string> = {}) {
  const world = await startWorld({
    env: { ...(rate ? { EMAIL_RATE: String(rate) } : {}), RATE_LIMIT: '0', CONNECTIONS_PER_ADDRESS: '0', ...env },
  });
  const other = await world.inSchool({ tenant_id: 'tenant-b', school_id: 'school-b' });
  await putPeople(world, [...contactsOf(people), contactOf(0, { ...ADAM, email: 'adam@same.example' })]);
  await putPeople(other, [
    contactOf(0, { user_id: 'eva', email: 'eva@other.example' }),
    contactOf(0, { ...ADAM, email: 'adam@other.example' }),
  ]);
  return { world, other };
}

const SILENT = { registration_type: 'optional', visibility: 'public', send_notifications: false };

/** Publishes an event without an announcement and registers one person. @returns its id */
export async function publishForOne(school: World): Promise<string> {
  const id = await publishEvent(school, SILENT);
  const registration = { kind: 'attendee', user_id: ADAM.user_id };
  expect((await school.call('POST', `${E}/${id}/registrations`, registration)).status).toBe(201);
  return id;
}

/** Publishes an event without an announcement and registers this many people. @returns its id */
export async function publishForMany(school: World, people: number): Promise<string> {
  const id = await publishEvent(school, SILENT);
  const all = contactsOf(people).map(({ user_id }) =>
    aRegistration({ ...school.scope, id: newId(), event_id: id, user_id, registered_by: user_id }),
  );
  for (const some of chunksOf(all, 1_000))
    await school.database.transact((tx) => registrationStore(school.database).insertMany(some, tx));
  return id;
}

export async function cancel(school: World, id: string): Promise<void> {
  const body = { reason: 'The hall is flooded.', notify: true };
  expect((await school.call('POST', `${E}/${id}/cancel`, body)).status).toBe(200);
}

export const mailsOf = (world: World, event: string, trigger?: string): number =>
  world.accepted().filter((one) => one.event === event && (!trigger || one.trigger === trigger)).length;

export const untilCancelled = (world: World, events: readonly string[]): Promise<void> =>
  eventually(
    'all are notified of the cancellation',
    () => events.every((event) => mailsOf(world, event, 'event.cancelled') > 0),
    90_000,
  );

/** Number of announcements that are not fanned out yet. */
export const factsAtWork = ({ database }: World): Promise<number> =>
  database
    .collection('facts')
    .countDocuments({ relay: { $in: ['urgent', 'pending', 'handed_on'] }, type: 'event.published' } as never);
