import { mustBeValid, orNotFound, Refused } from '../core/errors.ts';
import { changedValues } from '../core/objects.ts';
import { wallTimeInWords } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';
import { actorOf, type Caller, may, scopeOf } from '../people/caller.ts';
import { mayActFor, NOT_FOR_OTHERS } from './allowed.ts';
import { answerFaults, loadCallerName, withAnswers } from './answers.ts';
import type { GivenAnswer, RegistrationEdit } from './input.ts';
import { addPosition } from './list.ts';
import type { RegistrationDeps } from './ports.ts';
import { contactOf, isActive, isOwn, type Registered, type Registration } from './registration.ts';

/**
 * Changes the kind, the notes, the addresses or the answers of a registration. Changes no seats, so it bypasses the event
 * queue. May be repeated: an edit that changes nothing is not recorded. Returns it as it is after the edit.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`, `registration_closed`, `validation_failed`
 */
export async function editRegistration(
  deps: Pick<RegistrationDeps, 'transact' | 'clock' | 'facts' | 'registrations' | 'contacts'>,
  caller: Caller,
  event: SchoolEvent,
  id: string,
  edit: RegistrationEdit,
): Promise<Registered> {
  const { answers = [] } = edit;
  const name = await loadCallerName(deps, caller, answers);
  const registration = await deps.transact(async (tx) => {
    const before = orNotFound(await deps.registrations.find(caller, event.id, id, tx));
    if (!mayActFor(caller, before.user_id)) throw new Refused(NOT_FOR_OTHERS);
    if (!isActive(before.status)) {
      throw new Refused({ code: 'registration_not_active', detail: `The registration is ${before.status}.` });
    }
    const now = deps.clock.now();
    if (answers.length > 0) checkAnswers(caller, event, before, answers, now);
    const by = { user_id: caller.user_id, name, at: now };
    const edited = { ...apply(before, edit), answers: withAnswers(before.answers, answers, by) };
    const fields = Object.keys(changedValues(before, edited));
    if (fields.length === 0) return before;
    const after = { ...edited, updated_at: now };
    await deps.registrations.changeMany([{ before, after }], tx);
    const data = { registration_id: id, user_id: before.user_id, fields };
    const head = { ...scopeOf(before), event_id: event.id, occurred_at: now, actor: actorOf(caller) };
    await deps.facts.record([{ ...head, type: 'registration.edited', data }], tx);
    return after;
  });
  return addPosition(deps, caller, registration);
}

/** Families may change answers until the deadline, else until the start; staff always. */
function checkAnswers(
  caller: Caller,
  event: SchoolEvent,
  registration: Registration,
  answers: readonly GivenAnswer[],
  now: Date,
): void {
  const until = event.registration_deadline ?? event.starts_at;
  if (now > until && !may(caller, 'manage_registrations')) {
    const detail = `Answers could be changed until ${wallTimeInWords(until, event.timezone)}. Ask the organizer.`;
    throw new Refused({ code: 'registration_closed', detail });
  }
  const required = isOwn(caller, registration) ? 'given' : 'none';
  mustBeValid(answerFaults(event.registration_questions, answers, { required, at: '/answers' }));
}

const apply = (before: Registration, { kind = before.kind, notes = before.notes, contact }: RegistrationEdit) => ({
  ...before,
  kind,
  notes,
  contact: contact === undefined ? before.contact : contactOf(contact, before.contact),
});
