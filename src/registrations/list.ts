import { type Static, type TObject, Type } from 'typebox';
import { notFound, type Refusal } from '../core/errors.ts';
import { folded } from '../core/plain-text.ts';
import { oneOf, optional, stamp, stringOrNull } from '../core/schema.ts';
import type { SchoolEvent } from '../events/event.ts';
import { loadContacts, loadGuardians } from '../people/audience.ts';
import { type Caller, may, type Scope } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import { mayOpen } from '../people/visibility.ts';
import {
  allowedOn,
  allowedToOwner,
  mayReadRegistrations,
  REGISTRATION_ACTIONS,
  type RegistrationAction,
  type Stage,
  stageOf,
} from './allowed.ts';
import type { Door } from './door/door.ts';
import type { RegistrationDeps, RegistrationFilter } from './ports.ts';
import { familyOf, guardianIdsOf, isActive, isOwn, type Registered, type Registration } from './registration.ts';
import { type Admission, admit, previewSeats } from './seats/admission.ts';

export type ListDeps = Pick<RegistrationDeps, 'events' | 'registrations' | 'contacts' | 'clock'> & { door: Door };

/** The fields that staff see of a registration besides. */
export const LISTED = {
  name: stringOrNull('The name in the directory.'),
  email: stringOrNull('The address of messages: given with the registration, else the directory’s.'),
  phone: stringOrNull('The number of messages: given with the registration, else the directory’s.'),
  class_ids: Type.Array(Type.String(), { description: 'The classes of the person in the directory.' }),
  left_at: optional({ ...stamp, description: 'When the person left the school. Missing if they have not.' }),
  allowed_actions: Type.Array(oneOf(REGISTRATION_ACTIONS), { description: 'The actions that are possible now.' }),
};
type ListedRegistration = Registered & Static<TObject<typeof LISTED>>;

/** A registration as its owner sees it. */
type Own = Registered & { allowed_actions: RegistrationAction[] };

type ListQuery = RegistrationFilter & { q?: string; after?: string; limit: number };

/** registrations read by one query */
const BATCH = 500;

/** Reads the registrations of an event in batches, oldest first, so that memory stays constant. */
export async function* readRegistrations(
  { registrations }: Pick<RegistrationDeps, 'registrations'>,
  scope: Scope,
  event_id: string,
  { after, ...filter }: RegistrationFilter & { after?: string },
): AsyncGenerator<Registration[]> {
  for (let last = after; ; ) {
    const rows = await registrations.findPage(scope, event_id, { ...filter, after: last, limit: BATCH });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id;
  }
}

/**
 * Lists the registrations of one event, oldest first, optionally those that contain every word of `q`. Returns one row more
 * than `limit` if there are more.
 */
export async function listRegistrations(
  deps: ListDeps,
  caller: Caller,
  event: SchoolEvent,
  { q = '', ...query }: ListQuery,
): Promise<ListedRegistration[]> {
  if (q.trim() === '') {
    const rows = await deps.registrations.findPage(caller, event.id, query);
    return addDetails(deps, caller, event, rows);
  }
  const { limit, ...filter } = query;
  const found: Registration[] = [];
  for await (const rows of readRegistrations(deps, caller, event.id, filter)) {
    const ids = rows.map(({ user_id }) => user_id);
    const people = await loadContacts(deps, caller, ids);
    found.push(...rows.filter((row) => matches(row, people.get(row.user_id), q)));
    if (found.length >= limit) break;
  }
  return addDetails(deps, caller, event, found.slice(0, limit));
}

/**
 * Loads one registration for its owner, a parent of its owner, the organizer of the event, or staff who manage registrations.
 * @throws Refused `not_found`
 */
export async function findRegistration(
  deps: ListDeps,
  caller: Caller,
  event: Pick<SchoolEvent, 'id' | 'organizer_id'>,
  id: string,
): Promise<Registered> {
  const registration = await deps.registrations.find(caller, event.id, id);
  if (!registration || !(isOwn(caller, registration) || mayReadRegistrations(caller, event))) throw notFound();
  return addPosition(deps, caller, registration);
}

/**
 * Loads the registrations of the caller (first) and of their children, ended ones last, with what a new registration would
 * get now and whether the event can be attended.
 */
export async function loadOwnRegistrations(
  deps: ListDeps,
  caller: Caller,
  event: SchoolEvent,
): Promise<{ registrations: Own[]; admission: Admission | Refusal; stage: Stage }> {
  const user_ids = familyOf(caller);
  const rows = await deps.registrations.findAmong(caller, event.id, { ids: [], user_ids, since: new Date(0) });
  const rank = ({ status, user_id }: Registration) =>
    (isActive(status) ? 0 : user_ids.length) + user_ids.indexOf(user_id);
  rows.sort((a, b) => rank(a) - rank(b));
  const placed = await addPositions(deps, caller, event.id, rows);
  return {
    registrations: placed.map((one) => ({
      ...one,
      allowed_actions: caller.reads_only ? [] : allowedToOwner(one, event, whenOf(deps)),
    })),
    admission: mayOpen(caller, event) ? admit(event, deps.clock.now()) : { code: 'not_found' },
    stage: stageOf(event.status),
  };
}

/** Loads the first people on the waitlist and previews another capacity (decisions.md, "promotion"). */
export async function explainWaitlist(
  deps: ListDeps,
  caller: Caller,
  event: SchoolEvent,
  { capacity, limit }: { capacity?: number; limit: number },
) {
  const waiting = await deps.registrations.findFirstWaiting(caller, event.id, limit);
  return {
    preview: previewSeats(event, capacity === undefined ? event.max_attendees : capacity, deps.clock.now()),
    next: await addDetails(deps, caller, event, waiting),
  };
}

/**
 * Whether the caller or a child of theirs has an active registration for an event, or owns the registration `rid`. They may
 * then see the event even if it is hidden from them otherwise.
 */
export async function hasOwnRegistration(
  registrations: Pick<RegistrationDeps['registrations'], 'findAmong'>,
  caller: Caller,
  event_id: string,
  rid?: string,
): Promise<boolean> {
  const wanted = { ids: rid === undefined ? [] : [rid], user_ids: familyOf(caller) };
  return (await registrations.findAmong(caller, event_id, wanted)).some((registration) => isOwn(caller, registration));
}

/** @param known the people of these rows, if they have been loaded */
async function addDetails(
  deps: ListDeps,
  caller: Caller,
  event: SchoolEvent,
  rows: readonly Registration[],
  known?: ReadonlyMap<string, Contact>,
): Promise<ListedRegistration[]> {
  const ids = rows.map(({ user_id }) => user_id);
  const people = known ?? (await loadContacts(deps, caller, ids));
  const placed = await addPositions(deps, caller, event.id, rows);
  return placed.map((one) => ({
    ...one,
    ...personOf(one, people.get(one.user_id)),
    allowed_actions: may(caller, 'manage_registrations') ? allowedOn(one, event, whenOf(deps)) : [],
  }));
}

const whenOf = ({ clock, door: { opensMs } }: Pick<ListDeps, 'clock' | 'door'>) => ({ now: clock.now(), opensMs });

const personOf = ({ contact }: Registration, person: Contact | undefined) => ({
  name: person?.name ?? null,
  email: contact?.email ?? person?.email ?? null,
  phone: contact?.phone ?? person?.phone ?? null,
  class_ids: person?.class_ids ?? [],
  ...(person?.left_at && { left_at: person.left_at }),
});

/** Adds the position of one registration in the waitlist. */
export const addPosition = async (deps: Pick<ListDeps, 'registrations'>, caller: Caller, row: Registration) =>
  (await addPositions(deps, caller, row.event_id, [row]))[0] as Registered;

/** Adds waitlist positions, with one query for all rows. */
async function addPositions(
  deps: Pick<ListDeps, 'registrations'>,
  caller: Caller,
  event_id: string,
  rows: readonly Registration[],
): Promise<Registered[]> {
  const numbers = rows.flatMap((row) => (row.status === 'waitlisted' ? (row.waitlist_number ?? []) : []));
  const positions = await deps.registrations.findWaitlistPositions(caller, event_id, numbers);
  return rows.map((row) => {
    const { status, waitlist_number } = row;
    const waits = status === 'waitlisted' && waitlist_number !== null;
    return { ...row, waitlist_position: waits ? (positions.get(waitlist_number) ?? null) : null };
  });
}

/** Whether name, addresses, id and notes of a registration contain every word of `q`. */
export function matches(
  { user_id, notes, contact }: Pick<Registration, 'user_id' | 'notes' | 'contact'>,
  person: Pick<Contact, 'name' | 'email'> | undefined,
  q: string,
): boolean {
  const text = folded([user_id, notes, contact?.email, contact?.phone, person?.name, person?.email].join(' '));
  return folded(q)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A registration in a file for people. A student without an address has those of the guardians, who get the messages. */
export type ExportedRegistration = ListedRegistration & {
  /** the name of the person who registered, if it was another person */
  registrant: string | null;
};

/** Streams all registrations of an event in batches, optionally those that contain every word of `q`. */
export async function* exportRegistrations(
  deps: ListDeps,
  caller: Caller,
  event: SchoolEvent,
  { q = '', ...filter }: RegistrationFilter & { q?: string },
): AsyncGenerator<ExportedRegistration[]> {
  for await (const rows of readRegistrations(deps, caller, event.id, filter)) {
    const ids = rows.flatMap(({ user_id, registered_by }) => [user_id, registered_by]);
    const people = await loadContacts(deps, caller, ids);
    const found = rows.filter((row) => matches(row, people.get(row.user_id), q));
    const listed = await addDetails(deps, caller, event, found, people);
    const lacking = listed.filter(({ email, phone }) => email === null || phone === null);
    const guarded = (row: Registration) => ({ guardians: guardianIdsOf(people.get(row.user_id), row) });
    const guardiansOf = await loadGuardians(deps, caller, lacking.map(guarded));
    yield listed.map((row) => {
      const { user_id, registered_by } = row;
      const ofGuardians = (field: 'email' | 'phone') =>
        [...new Set(guardiansOf(guarded(row)).flatMap((guardian) => guardian[field] ?? []))].join(', ') || null;
      return {
        ...row,
        email: row.email ?? ofGuardians('email'),
        phone: row.phone ?? ofGuardians('phone'),
        registrant: registered_by === user_id ? null : (people.get(registered_by)?.name ?? registered_by),
      };
    });
  }
}
