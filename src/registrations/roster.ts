import { notFound, type Refusal } from '../core/errors.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Caller } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import { may } from '../people/permissions.ts';
import { maySee } from '../people/visibility.ts';
import { type Admission, admit } from './admission.ts';
import { allowedOn, allowedToOwner, type RosterAction, type Stage, stageOf } from './allowed.ts';
import type { RegistrationDeps, RosterCount, RosterFilter } from './ports.ts';
import type { Registered } from './register.ts';
import { isOwn, type Registration } from './registration.ts';
import { matches } from './search.ts';
import { type SeatPreview, seatsAt } from './waitlist.ts';

type Deps = Pick<RegistrationDeps, 'events' | 'registrations' | 'contacts' | 'clock'>;

/** A registration as those see it who manage them: with the person's name, and what may be done with it. */
export type Rostered = Registered & { name: string | null; allowed_actions: RosterAction[] };

/** A registration as its owner sees it. */
export type Own = Registered & { allowed_actions: RosterAction[] };

type Listed = RosterFilter & { q?: string; after?: string; limit: number };

const BATCH = 500;

/**
 * The registrations of one event, oldest first, or those in which every word of `q` is found; one row more than `limit`
 * tells that there are more.
 */
export async function listRegistrations(
  deps: Deps,
  caller: Caller,
  event: SchoolEvent,
  { q = '', ...query }: Listed,
): Promise<Rostered[]> {
  const limit = query.limit + 1;
  if (q.trim() === '') {
    const rows = await deps.registrations.page(caller, event.id, { ...query, limit });
    return rostered(deps, caller, event, rows);
  }
  const found: Registration[] = [];
  for (let { after } = query; ; ) {
    const of = { ...query, ...(after ? { after } : {}), limit: BATCH };
    const rows = await deps.registrations.page(caller, event.id, of);
    const people = await peopleOf(deps, caller, rows);
    found.push(...rows.filter((row) => matches(row, people.get(row.user_id), q.trim())));
    after = rows.at(-1)?.id;
    if (rows.length < BATCH || found.length >= limit) break;
  }
  return rostered(deps, caller, event, found.slice(0, limit));
}

/** How many there are of each status and kind. */
export const countRegistrations = (deps: Deps, caller: Caller, event: SchoolEvent): Promise<RosterCount[]> =>
  deps.registrations.tally(caller, event.id);

/** Every registration in turn, read in batches: any number of them at constant memory. */
export async function* exportRegistrations(
  deps: Deps,
  caller: Caller,
  event: SchoolEvent,
  filter: RosterFilter,
): AsyncGenerator<Rostered[]> {
  let after: string | undefined;
  do {
    const query = { ...filter, ...(after ? { after } : {}), limit: BATCH };
    const rows: Registration[] = await deps.registrations.page(caller, event.id, query);
    if (rows.length > 0) yield await rostered(deps, caller, event, rows);
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined;
  } while (after !== undefined);
}

/** A registration as its owner, a parent of its owner, or who manages registrations may see it. */
export async function findRegistration(
  deps: Deps,
  caller: Caller,
  { event_id, id }: { event_id: string; id: string },
): Promise<Registered> {
  const registration = await deps.registrations.find(caller, event_id, id);
  if (!registration || !(isOwn(caller, registration) || may(caller, 'manage_registrations'))) throw notFound();
  const [found] = await withPlaces(deps, caller, event_id, [registration]);
  return found as Registered;
}

/**
 * The caller's own registration and those of their children, as far as they are active; one's own comes first. With it,
 * what one more registration would come to now, and whether people come to the event at all.
 */
export async function ownRegistrations(
  deps: Deps,
  caller: Caller,
  event: SchoolEvent,
): Promise<{ registrations: Own[]; admission: Admission | Refusal; stage: Stage }> {
  const user_ids = [caller.user_id, ...caller.children];
  const rows = await deps.registrations.findAmong(caller, event.id, { ids: [], user_ids });
  rows.sort((a, b) => user_ids.indexOf(a.user_id) - user_ids.indexOf(b.user_id));
  const placed = await withPlaces(deps, caller, event.id, rows);
  return {
    registrations: placed.map((one) => ({ ...one, allowed_actions: allowedToOwner(one.registration, event) })),
    admission: maySee(caller, event) ? admit(event, deps.clock.now()) : { code: 'not_found' },
    stage: stageOf(event.status),
  };
}

/** Who waits, and what another capacity would do (decisions.md, "promotion"). */
export async function explainWaitlist(
  deps: Deps,
  caller: Caller,
  event: SchoolEvent,
  { capacity, limit }: { capacity?: number; limit: number },
): Promise<{ preview: SeatPreview; next: Rostered[] }> {
  const waiting = await deps.registrations.firstWaiting(caller, event.id, limit);
  return {
    preview: seatsAt(event, capacity === undefined ? event.max_attendees : capacity, deps.clock.now()),
    next: await rostered(deps, caller, event, waiting),
  };
}

async function peopleOf(deps: Deps, caller: Caller, rows: readonly Registration[]): Promise<Map<string, Contact>> {
  const user_ids = [...new Set(rows.map(({ user_id }) => user_id))];
  const known = await deps.contacts.findMany(caller, user_ids);
  return new Map(known.map((contact) => [contact.user_id, contact]));
}

async function rostered(
  deps: Deps,
  caller: Caller,
  event: SchoolEvent,
  rows: readonly Registration[],
): Promise<Rostered[]> {
  const people = await peopleOf(deps, caller, rows);
  const placed = await withPlaces(deps, caller, event.id, rows);
  return placed.map((one) => ({
    ...one,
    name: people.get(one.registration.user_id)?.name ?? null,
    allowed_actions: allowedOn(one.registration, event),
  }));
}

/** Places of those who wait, from one question for the lot where they are many. */
async function withPlaces(
  deps: Pick<Deps, 'registrations'>,
  caller: Caller,
  event_id: string,
  rows: readonly Registration[],
): Promise<Registered[]> {
  const numbers = rows.flatMap((row) => (row.status === 'waitlisted' ? (row.waitlist_number ?? []) : []));
  const places = await deps.registrations.placesOf(caller, event_id, numbers);
  return rows.map((registration) => {
    const { status, waitlist_number } = registration;
    const waits = status === 'waitlisted' && waitlist_number !== null;
    return { registration, waitlist_position: waits ? (places.get(waitlist_number) ?? null) : null };
  });
}
