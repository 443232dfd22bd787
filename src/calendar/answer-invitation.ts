import { type ErrorCode, Refused } from '../core/errors.ts';
import type { IdempotencyStore } from '../core/idempotency-record.ts';
import { hashOf } from '../core/ids.ts';
import { inUtc } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';
import { actorOf, type Caller, groupsOf, type Scope, scopeOf } from '../people/caller.ts';
import type { Links } from '../people/links.ts';
import { isOver } from '../registrations/allowed.ts';
import { cancelRegistration } from '../registrations/cancel.ts';
import type { EventQueues, RegistrationDeps } from '../registrations/ports.ts';
import { register } from '../registrations/register.ts';
import { isActive, type Registration } from '../registrations/registration.ts';
import { uidOf } from './ics.ts';

/** A calendar's answer to an invitation. `recurrence_id`: in UTC, as we wrote it, or turned into a local time by the calendar. */
export type CalendarReply = {
  /** the addresses that the mail was sent to */
  to: readonly string[];
  uid: string;
  recurrence_id: string | null;
  answer: 'ACCEPTED' | 'DECLINED' | 'TENTATIVE';
  /** DTSTAMP, which orders the answers of a person and shows that a mail came twice */
  stamp: string;
};

type Deps = RegistrationDeps & {
  links: Links;
  eventQueues: EventQueues;
  idempotency: IdempotencyStore;
  deliveries: {
    /** The people to whom an e-mail about any of these events was drafted. */
    findMailed(scope: Scope, event_ids: readonly string[]): Promise<string[]>;
  };
  /** Adds a caller's children. */
  completeCaller(caller: Caller): Promise<Caller>;
};

/** `outdated`: the person's calendar gave a later answer before. */
type AnswerResult = Registration['status'] | 'unchanged' | 'outdated' | ErrorCode;

/** Refusals that decide nothing: the same mail may succeed later. */
const TRANSIENT: readonly ErrorCode[] = ['busy', 'idempotency_in_flight'];

/** Refusals that the person is notified of, since their calendar shows the event as accepted. `not_found`: now it is hidden. */
const NOTIFIED: readonly ErrorCode[] = [
  'not_found',
  'event_full',
  'registration_closed',
  'event_not_published',
  'registration_not_available',
  'validation_failed',
];

/**
 * Registers or cancels by the answer of a calendar, for the person to whose signed address it came, with the rules and facts
 * of any registration. A person whom the rules refuse is notified. A mail that comes twice, or after a later answer of the
 * same person, changes nothing more.
 * @returns what the answer led to, the code of a refusal included; null if it answers no invitation of ours
 * @throws Refused `busy`, `idempotency_in_flight`: the mail has to come again
 */
export async function answerInvitation(
  deps: Deps,
  reply: CalendarReply,
): Promise<{ event_id: string; result: AnswerResult } | null> {
  const answered = await findAnswered(deps, reply);
  if (!answered) return null;
  const { event, caller } = answered;
  const result = reply.answer === 'TENTATIVE' ? 'unchanged' : await answerInOrder(deps, caller, reply, event);
  return { event_id: event.id, result };
}

/** The event and the person that a reply is about, by its UID and its address. */
async function findAnswered(
  deps: Deps,
  { to, uid, recurrence_id }: CalendarReply,
): Promise<{ event: SchoolEvent; caller: Caller } | null> {
  const address = to.map((one) => deps.links.readReply(one.split('@')[0] ?? '')).find((one) => one !== null);
  if (!address) return null;
  // The first date, whose id they share, may have been deleted.
  const dates = await deps.events.findSeries(null, address.shared_id);
  const event = dates.find(
    (date) => uidOf(date) === uid && date.recurrence_id === (recurrence_id && inUtc(recurrence_id, date.timezone)),
  );
  if (!event) return null;
  const scope = scopeOf(event);
  const mailed = await deps.deliveries.findMailed(scope, [address.shared_id, ...dates.map(({ id }) => id)]);
  const user_id = mailed.find(address.isOf);
  const contact = user_id === undefined ? null : await deps.contacts.find(scope, user_id);
  if (!contact || contact.left_at) return null;
  const person = { ...scope, ...groupsOf(contact), user_id: contact.user_id, permissions: [], children: [] };
  return { event, caller: await deps.completeCaller(person) };
}

/**
 * Makes the change unless this person's calendar gave the same or a later answer in the last day. Mails may overtake each
 * other, so DTSTAMP decides (RFC 5546 §2.1.5).
 */
async function answerInOrder(
  deps: Deps,
  caller: Caller,
  { answer, stamp }: CalendarReply,
  event: SchoolEvent,
): Promise<AnswerResult> {
  const { idempotency, transact, facts, clock } = deps;
  const { tenant_id, school_id, user_id } = caller;
  const key = hashOf('calendar reply', tenant_id, school_id, user_id, event.id);
  const processed = { status: 204, headers: {}, body: `${stamp} ${answer}` };
  const begun = await idempotency.begin(key, '', caller, ({ body }) => body < processed.body);
  if (begun.kind === 'stored') return begun.reply.body === processed.body ? 'unchanged' : 'outdated';
  if (begun.kind !== 'started') throw new Refused({ code: 'idempotency_in_flight' });
  const { token, outdated } = begun;
  try {
    const own = await deps.registrations.listOfPerson(scopeOf(event), event.id, user_id);
    const place = own.find(({ status }) => isActive(status));
    const changesNothing = answer === 'ACCEPTED' ? place !== undefined : place === undefined || isOver(event.status);
    if (changesNothing) {
      await idempotency.finish(key, token, processed);
      return 'unchanged';
    }
    const recordReply = () => ({ key, token, reply: processed });
    const { status } = await (place
      ? cancelRegistration(deps, caller, { event_id: event.id, id: place.id, via: 'calendar' }, recordReply)
      : register(deps, caller, event, { kind: 'attendee', via: 'calendar' }, recordReply));
    return status;
  } catch (error) {
    const code = error instanceof Refused ? error.refusal.code : null;
    if (code === null || TRANSIENT.includes(code)) {
      await (outdated ? idempotency.finish(key, token, outdated) : idempotency.abandon(key, token));
      throw error;
    }
    const head = { ...scopeOf(caller), event_id: event.id, occurred_at: clock.now(), actor: actorOf(caller) };
    const isOff = event.status === 'cancelled' || event.status === 'postponed';
    const data = { user_id, code: isOff ? `event_${event.status}` : code };
    await transact(async (tx) => {
      if (NOTIFIED.includes(code)) await facts.record([{ ...head, type: 'registration.refused', data }], tx);
      await idempotency.finish(key, token, processed, tx);
    });
    return code;
  }
}
