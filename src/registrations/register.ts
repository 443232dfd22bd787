import { fault, invalid, type Refusal } from '../core/errors.ts';
import type { SchoolEvent } from '../events/event.ts';
import { questionsOf } from '../events/rules/validation.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import { answerFaults, nameOf } from './answers.ts';
import type { RegisterFamilyInput, RegisterInput } from './input.ts';
import type { EventQueues, RecordReply, SeatRequest } from './ports.ts';
import { isOwn, type Registration } from './registration.ts';
import { type SeatBook, waitlistPositionsOf } from './seats/seat-book.ts';
import { signUp } from './sign-up.ts';
import { familyOf } from './slots.ts';

export type Registered = { registration: Registration; waitlist_position: number | null };

/** The result for one person of a family. */
export type FamilyResult = { user_id: string } & (Registered | { refusal: Refusal });

type RegisterDeps = { eventQueues: EventQueues; contacts: Pick<ContactStore, 'find'> };

/** Registers one person: the family of one. @throws Refused as `registerFamily` */
export async function register(
  deps: RegisterDeps,
  caller: Caller,
  event: SchoolEvent,
  { waitlist, override, contact, via, ...person }: RegisterInput,
  recordReply?: RecordReply<Registered>,
): Promise<Registered> {
  const family = { waitlist, override, contact, via, people: [{ ...person, at: '' }] };
  const only = ([result]: FamilyResult[]) => result as Registered;
  const record = recordReply && ((results: FamilyResult[]) => recordReply(only(results)));
  return only(await registerFamily(deps, caller, event, family, record));
}

/**
 * Registers the people of a family in the given order: each gets a place, joins the waitlist or is refused; `together`, all
 * do the same. Counters, registrations, facts and the stored reply are one transaction. Every change of places writes the
 * event's row, so that two people never get the same place.
 * @param event as it was just read; it may have changed since
 * @throws Refused if no one is registered: `not_found`, `forbidden`, `already_registered`, `rate_limited`, `busy`,
 * `validation_failed` and what `admit` refuses
 */
export async function registerFamily(
  deps: RegisterDeps,
  caller: Caller,
  event: SchoolEvent,
  family: RegisterFamilyInput,
  recordReply?: RecordReply<FamilyResult[]>,
): Promise<FamilyResult[]> {
  const people = family.people.map(({ user_id = caller.user_id, ...one }, n) => ({
    at: `/people/${n}`,
    ...one,
    user_id,
  }));
  const user_ids = people.map(({ user_id }) => user_id);
  const faults = people.flatMap(({ user_id, answers = [], at }, n) => {
    if (user_ids.indexOf(user_id) < n) return fault(`${at}/user_id`, 'must not be named twice', 'uniqueItems');
    const required = isOwn(caller, { user_id }) ? 'all' : 'none';
    return answerFaults(questionsOf(event), answers, { required, at: `${at}/answers` });
  });
  if (faults.length > 0) throw invalid(faults);
  const given = people.flatMap(({ answers = [] }) => answers);
  const input = { ...family, people, name: await nameOf(deps, caller, given) };
  const slots = people.flatMap((one) => one.slots ?? []);
  const request: SeatRequest<FamilyResult[]> = {
    event,
    needs: slots.length > 0 ? { user_ids: [...user_ids, ...familyOf(caller)], slots } : { user_ids },
    decide(book, now) {
      const signed = signUp(book, caller, input, now);
      if (!Array.isArray(signed)) return signed;
      return {
        result: () =>
          signed.map((one, at) => {
            const user_id = user_ids[at] as string;
            return 'id' in one ? { user_id, ...resultOf(book, one.id) } : { user_id, refusal: one };
          }),
      };
    },
  };
  return deps.eventQueues.submit(scopeOf(caller), event.id, request, recordReply);
}

/** A registration with its waitlist position, once the whole group is decided. */
export function resultOf(book: SeatBook, id: string): Registered {
  const registration = book.rows.get(id) as Registration;
  const waits = registration.status === 'waitlisted';
  return { registration, waitlist_position: waits ? (waitlistPositionsOf(book).get(id) ?? null) : null };
}
