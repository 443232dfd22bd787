import { ERRORS, type ErrorCode, fault, mustBeValid, type Refusal } from '../core/errors.ts';
import { groupBy } from '../core/groups.ts';
import type { RecordReply } from '../core/idempotency-record.ts';
import { newId } from '../core/ids.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Slot } from '../events/rules/slots.ts';
import type { NamingOfFamily, NewFact } from '../outbox/fact.ts';
import { actorOf, type Caller, forbiddenWithout, may, scopeOf } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import { mayOpen, maySee } from '../people/visibility.ts';
import { mayActFor, NOT_FOR_OTHERS } from './allowed.ts';
import { answerFaults, loadCallerName, withAnswers } from './answers.ts';
import type { Applicant, RegisterFamilyInput, RegisterInput } from './input.ts';
import type { EventQueues, SeatRequest } from './ports.ts';
import { contactOf, familyOf, isOwn, NEW_REGISTRATION, type Registered, type Registration } from './registration.ts';
import { type Admission, admit, refuseRepeated } from './seats/admission.ts';
import { record, resultOf, type SeatBook, upsert } from './seats/seat-book.ts';
import { refuseSlots } from './slots.ts';

/** The result for one person of a family. */
export type FamilyResult = { user_id: string; registration?: Registered; code?: ErrorCode; detail?: string };

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
  const only = ([result]: FamilyResult[]) => result?.registration as Registered;
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
    return answerFaults(event.registration_questions, answers, { required, at: `${at}/answers` });
  });
  mustBeValid(faults);
  const given = people.flatMap(({ answers = [] }) => answers);
  const input = { ...family, people, name: await loadCallerName(deps, caller, given) };
  const slots = people.flatMap((one) => one.slots ?? []);
  const request: SeatRequest<FamilyResult[]> = {
    event,
    needs: slots.length > 0 ? { user_ids: [...user_ids, ...familyOf(caller)], slots } : { user_ids },
    decide(book, now) {
      const signing = { book, caller, input, now };
      const signed = input.together ? signUpTogether(signing) : signUpEach(signing);
      if (!Array.isArray(signed)) return signed;
      recordFacts(signing, signed);
      return {
        result: () =>
          signed.map((one, at) => {
            const user_id = user_ids[at] as string;
            if ('id' in one) return { user_id, registration: resultOf(book, one.id) };
            return { user_id, code: one.code, detail: one.detail ?? ERRORS[one.code].title };
          }),
      };
    },
  };
  return deps.eventQueues.submit(scopeOf(caller), event.id, request, recordReply);
}

/** With the name of the caller, to be kept with a consent. */
type SignUp = Omit<RegisterFamilyInput, 'people'> & { people: readonly Applicant[]; name: string };

type Signing = { book: SeatBook; caller: Caller; input: SignUp; now: Date };

/** Signs up one person after the other, whatever becomes of the others. @returns the first refusal if no one is registered */
function signUpEach(signing: Signing): (Registration | Refusal)[] | Refusal {
  const signed = signing.input.people.map((applicant) => {
    const admission = admitPerson(signing, applicant);
    return 'code' in admission ? admission : add(signing, applicant, admission);
  });
  const [first] = signed;
  return first && 'code' in first && signed.every((one) => 'code' in one) ? first : signed;
}

/** Checks everyone before it changes the book. @returns the first refusal if anyone is refused */
function signUpTogether(signing: Signing): Registration[] | Refusal {
  const { people } = signing.input;
  const admissions: Admission[] = [];
  for (const [at, applicant] of people.entries()) {
    const chosen = people.slice(0, at).flatMap(({ slots = [] }) => slots);
    const admission = admitPerson(signing, applicant, { seats: people.length, chosen });
    if ('code' in admission) return { ...admission, extra: { ...admission.extra, user_id: applicant.user_id } };
    admissions.push(admission);
  }
  return people.map((applicant, at) => add(signing, applicant, admissions[at] as Admission));
}

/** @param together how many people need a place at the same time, and the meetings of those before this one */
function admitPerson(
  { book, caller, input, now }: Signing,
  { user_id, slots = [], at }: Applicant,
  { seats, chosen }: { seats: number; chosen: readonly Slot[] } = { seats: 1, chosen: [] },
): Admission | Refusal {
  const { event } = book;
  const { waitlist = true, override = false } = input;
  if (!mayOpen(caller, event)) return { code: 'not_found' };
  if (!mayActFor(caller, user_id)) return NOT_FOR_OTHERS;
  if (user_id === caller.user_id && !maySee(caller, event))
    return { code: 'forbidden', detail: 'This event is for students. You can register your child.' };
  if (book.active.has(user_id))
    return { code: 'already_registered', detail: 'This person is already registered for the event.' };
  const repeated = refuseRepeated(book.registeredAt.get(user_id) ?? [], now);
  if (repeated) return repeated;
  if (override && !may(caller, 'manage_registrations')) return forbiddenWithout('manage_registrations');
  const admission = admit(event, now, { mayWait: waitlist, override, seats });
  if ('code' in admission) return admission;
  return refuseSlots(book, caller, null, slots, { chosen, at }) ?? admission;
}

function add(
  { book, caller, input, now }: Signing,
  { user_id, kind, notes = null, answers = [], slots = [] }: Applicant,
  { status }: Admission,
): Registration {
  const { event } = book;
  const { contact, override = false, name } = input;
  const child = caller.known_children?.find((one) => one.user_id === user_id);
  const registration: Registration = {
    ...NEW_REGISTRATION,
    ...scopeOf(caller),
    id: newId(),
    event_id: event.id,
    user_id,
    kind,
    notes,
    answers: withAnswers([], answers, { user_id: caller.user_id, name, at: now }),
    status,
    contact: contactOf(contact),
    waitlist_number: status === 'waitlisted' ? event.last_waitlist_number + 1 : null,
    confirmation: status === 'confirmed' ? 1 : 0,
    override,
    registered_by: caller.user_id,
    by_token_guardian: child?.only_in_token,
    created_at: now,
    updated_at: now,
    confirmed_at: status === 'confirmed' ? now : null,
    ...(slots.length > 0 ? { slots } : {}),
  };
  upsert(book, registration);
  return registration;
}

/**
 * Records a fact for each registration. Of those with the same result, the message of the first names the others too, so that
 * a guardian gets one message.
 */
function recordFacts(
  { book, caller, input: { via }, now }: Signing,
  signed: readonly (Registration | Refusal)[],
): void {
  const added = signed.filter((one) => 'id' in one);
  const joined = added.filter(({ status }) => status === 'waitlisted').length;
  for (const same of groupBy(added, ({ status }) => status)) {
    const [lead, ...others] = same.map(({ id }) => id);
    for (const [at, registration] of same.entries()) {
      const position = book.event.waitlisted - joined + at + 1;
      const naming = at > 0 ? { announced_with: lead } : others.length > 0 ? { family: others } : {};
      record(book, actorOf(caller), now, factOf(registration, position, { ...naming, via }));
    }
  }
}

/** @param position on the waitlist, for one who has just joined it */
function factOf(
  { id, user_id, status, waitlist_number, confirmation, override }: Registration,
  position: number,
  more: NamingOfFamily & { via?: 'calendar' },
): Pick<NewFact, 'type' | 'data'> {
  const ref = { registration_id: id, user_id, ...(override ? { override: true as const } : {}), ...more };
  if (status === 'waitlisted')
    return { type: 'registration.waitlisted', data: { ...ref, waitlist_number: waitlist_number ?? 0, position } };
  if (status === 'pending') return { type: 'registration.pending', data: ref };
  return { type: 'registration.confirmed', data: { ...ref, confirmation } };
}
