import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import { chunksOf } from '../core/groups.ts';
import type { StoredReply } from '../core/idempotency-record.ts';
import { newId } from '../core/ids.ts';
import { type Caller, type Scope, scopeOf } from '../people/caller.ts';

/** The records of a person by kind; kinds without any are missing. */
export type PersonRecords = Record<string, object[]>;

/** The records of a person in the database. */
export type PersonTraces = {
  /** The records about the person, without secrets and without the data of others. */
  read(scope: Scope, user_id: string): Promise<PersonRecords>;
  /** Ids of the person's active registrations for events that are not over. */
  findActiveRegistrations(scope: Scope, user_id: string): Promise<string[]>;
  /**
   * Removes personal records, and replaces the person by `alias` in the others. Stored replies that name the person become
   * `gone`. May be repeated after a crash. @returns how many records, by kind
   */
  erase(scope: Scope, user_id: string, as: { alias: string; gone: StoredReply }): Promise<Record<string, number>>;
};

type Deps = {
  traces: Pick<PersonTraces, 'findActiveRegistrations' | 'erase'>;
  /** cancels one registration as usual, so that its seat goes to the waitlist; does nothing if the event is over */
  endRegistration(id: string): Promise<unknown>;
};

/** A guardian may register the person meanwhile, and so may the person with a token, so we look again, but not forever. */
const ROUNDS = 3;
/** Registrations cancelled in parallel. */
const CONCURRENCY = 20;

/**
 * Erases a person of the caller's school: cancels active registrations, removes personal records, and replaces the person by
 * a random alias in records that others or statistics need. May be repeated after a crash.
 * @returns how many records were erased, by kind; empty if there were none
 */
export async function erasePerson(
  { traces, endRegistration }: Deps,
  caller: Caller,
  { user_id, gone }: { user_id: string; gone: StoredReply },
): Promise<Record<string, number>> {
  const scope = scopeOf(caller);
  const alias = `erased-${newId()}`;
  const erased: Record<string, number> = {};
  const ended = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const active = await traces.findActiveRegistrations(scope, user_id);
    const fresh = active.filter((id) => !ended.has(id));
    if (round > 0 && fresh.length === 0) break;
    // In parallel, because they are of different events.
    for (const some of chunksOf(fresh, CONCURRENCY)) await Promise.all(some.map((id) => endRegistration(id)));
    for (const id of fresh) ended.add(id);
    const counts = await traces.erase(scope, user_id, { alias, gone });
    for (const [kind, count] of Object.entries(counts)) erased[kind] = (erased[kind] ?? 0) + count;
  }
  return { ...erased, ...(ended.size > 0 ? { registrations_ended: ended.size } : {}) };
}

/**
 * Collects the data that the caller's school has about a person, for a request of access (GDPR, articles 15 and 20): by kind, as
 * stored, without keys of devices and calendars and without the data of other people. Reads only.
 * @throws Refused `not_found`
 */
export async function exportPerson(
  { traces, clock }: { traces: Pick<PersonTraces, 'read'>; clock: Clock },
  caller: Caller,
  user_id: string,
): Promise<{ user_id: string; exported_at: Date; records: PersonRecords }> {
  const records = await traces.read(scopeOf(caller), user_id);
  if (Object.keys(records).length === 0) throw notFound();
  return { user_id, exported_at: clock.now(), records };
}
