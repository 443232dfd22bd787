import { expect } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { contactStore } from '../../../src/mongo/people/people-stores.ts';
import { registrationStore } from '../../../src/mongo/registrations/registration-store.ts';
import { PERMISSION_NAMES } from '../../../src/people/caller.ts';
import { aRegistration } from '../../support/builders.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../../support/world.ts';

const E = '/api/v1/operations/events';
const OTHER = { tenant_id: 'tenant-b', school_id: 'school-b' };

/**
 * Starts a world with a large tenant and one of a single person. `adam` of the large one is outside of every audience. The
 * mail rate is limited, so that bulk mail takes equally long on any machine.
 */
export async function twoTenants(people: number, rate: number | null, env: Record<string, string> = {}) {
  const world = await startWorld({
    env: { ...(rate ? { EMAIL_RATE: String(rate) } : {}), RATE_LIMIT: '0', CONNECTIONS_PER_ADDRESS: '0', ...env },
  });
  const contacts = contactStore(world.database);
  for (let i = 0; i < people; i += 1000)
    await contacts.putMany(Array.from({ length: Math.min(1000, people - i) }, (_, n) => contactOf(i + n)));
  await contacts.putMany([
    contactOf(0, { ...OTHER, user_id: 'eva', email: 'eva@other.example' }),
    contactOf(0, { user_id: 'adam', roles: ['external'], email: 'adam@same.example' }),
  ]);
  const claims = { ...OTHER, user_id: 'staff-2', roles: ['staff' as const], permissions: PERMISSION_NAMES };
  return { world, people, rate, as: { own: undefined, other: await world.token(claims) } };
}

export type TwoTenants = Awaited<ReturnType<typeof twoTenants>>;
type Whose = keyof TwoTenants['as'];

const post = async ({ world, as }: TwoTenants, whose: Whose, path: string, body?: unknown) => {
  const token = as[whose];
  const answer = await world.call('POST', `${E}${path}`, body, token ? { as: token } : {});
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

/** Publishes an event of these fields. @returns its id */
export async function announce(
  tenants: TwoTenants,
  whose: Whose,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await post(tenants, whose, '', draft(fields));
  await post(tenants, whose, `/${id}/publish`);
  return String(id);
}

const SILENT = { registration_type: 'optional', visibility: 'public', send_notifications: false };

/** Publishes an event without an announcement and registers one person. @returns its id */
export async function publishForOne(tenants: TwoTenants, whose: Whose): Promise<string> {
  const id = await announce(tenants, whose, SILENT);
  const user_id = whose === 'own' ? 'adam' : 'eva';
  await post(tenants, whose, `/${id}/registrations`, { kind: 'attendee', user_id });
  return id;
}

/** Publishes an event without an announcement and registers everyone of the large tenant. @returns its id */
export async function publishForMany(tenants: TwoTenants): Promise<string> {
  const id = await announce(tenants, 'own', SILENT);
  const store = registrationStore(tenants.world.database);
  const all = Array.from({ length: tenants.people }, (_, n) => {
    const { user_id } = contactOf(n);
    return aRegistration({ ...SCHOOL, id: newId(), event_id: id, user_id, registered_by: user_id });
  });
  for (let i = 0; i < all.length; i += 1000)
    await tenants.world.database.transact((tx) => store.insertMany(all.slice(i, i + 1000), tx));
  return id;
}

export const cancel = (tenants: TwoTenants, whose: Whose, id: string) =>
  post(tenants, whose, `/${id}/cancel`, { reason: 'The hall is flooded.', notify: true });

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
