import { invalid, invalidField, orNotFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../core/transaction.ts';
import { hoursAfter } from '../core/zoned-time.ts';
import { GRACE_MS } from '../events/held-change.ts';
import { ASKS_NOTHING } from '../events/rules/validation.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { FactDeps } from '../outbox/ports.ts';
import { type Actor, actorOf, type Caller, type Scope, scopeOf } from '../people/caller.ts';
import { type Channel, descriptorOf } from '../people/channels.ts';
import type { Locale } from '../people/contact.ts';
import type { ContactStore, PushSubscriptionStore } from '../people/ports.ts';
import type { MessageAudience, MessageStore, SchoolMessage, TranslatedText } from './message.ts';

type Deps = FactDeps & { messages: MessageStore; contacts: ContactStore };

type NewMessage = TranslatedText &
  MessageAudience &
  Pick<SchoolMessage, 'channels' | 'urgent'> & {
    /** who gets answers to its e-mails */
    reply_to: 'sender' | 'school';
  };

/** The fields of a message that names no others. */
export const USUAL_MESSAGE = {
  translations: null,
  urgent: false,
  target_audience: ['all'],
  class_id: null,
  grade_level_ids: [],
  asks_acknowledgement: false,
  reply_to: 'school',
} satisfies Partial<NewMessage>;

/**
 * The message that `sendSchoolMessage` would store, with its fact. Writes nothing.
 * @param holdMs for how long it can be withdrawn before anyone gets it
 * @throws Refused `validation_failed` if answers go to a sender without an e-mail address, or people are reminded to confirm
 *   what they are not asked to
 */
export async function planSchoolMessage(
  { clock, contacts }: Pick<Deps, 'clock' | 'contacts'>,
  caller: Caller,
  { reply_to, ...input }: NewMessage,
  holdMs = 0,
): Promise<Planned> {
  if (input.acknowledgement_reminder && !input.asks_acknowledgement) throw invalid([ASKS_NOTHING]);
  const now = clock.now();
  const send_at = holdMs > 0 ? new Date(now.getTime() + holdMs + GRACE_MS) : now;
  const fields = {
    ...input,
    channels: [...new Set(input.channels)],
    reply_to: reply_to === 'sender' ? await loadMailbox(contacts, caller) : null,
    created_by: caller.user_id,
  };
  return planned(scopeOf(caller), actorOf(caller), fields, now, send_at);
}

/** A message as it is stored, with the fact that sends it. */
type Planned = { message: SchoolMessage; fact: NewFact<'message.school' | 'message.urgent'> };
type Fields = Omit<SchoolMessage, keyof Scope | 'id' | 'status' | 'created_at' | 'send_at' | 'withdrawn_at'>;

function planned(scope: Scope, actor: Actor, fields: Fields, now: Date, send_at = now): Planned {
  const own = { id: newId(), status: 'sent', created_at: now, send_at, withdrawn_at: null } as const;
  const message: SchoolMessage = { ...fields, ...scope, ...own };
  const data = { channels: fields.channels, ...(send_at > now ? { tell_at: send_at } : {}) };
  const type = fields.urgent ? 'message.urgent' : 'message.school';
  return { message, fact: { ...scope, type, event_id: message.id, occurred_at: now, actor, data } };
}

/**
 * Sends a message of the school: it is stored with a fact and takes the usual message path.
 * @throws Refused `validation_failed`
 */
export async function sendSchoolMessage(
  deps: Deps,
  caller: Caller,
  input: NewMessage,
  holdMs?: number,
): Promise<SchoolMessage> {
  const plan = await planSchoolMessage(deps, caller, input, holdMs);
  return deps.transact((tx) => store(deps, plan, tx));
}

async function store(
  { messages, facts }: Pick<Deps, 'messages' | 'facts'>,
  { message, fact }: Planned,
  tx: Tx,
): Promise<SchoolMessage> {
  await messages.insert(message, tx);
  await facts.record([fact, ...reminderOf(message, fact)], tx);
  return message;
}

/** The reminder for people who will not have confirmed some hours later. */
function reminderOf({ send_at, acknowledgement_reminder }: SchoolMessage, fact: NewFact): NewFact[] {
  if (!acknowledgement_reminder) return [];
  const { after_hours, channels } = acknowledgement_reminder;
  const tell_at = hoursAfter(send_at, after_hours);
  return [{ ...fact, type: 'acknowledgement.reminded', data: { channels, tell_at } }];
}

/**
 * Sends a text with sample values to the caller alone, over the usual message path and at any hour.
 * @throws Refused `validation_failed` if the directory has no address of the caller for this channel
 */
export async function sendTestMessage(
  deps: Deps & { pushSubscriptions: Pick<PushSubscriptionStore, 'findMany'> },
  caller: Caller,
  { channel, ...sample }: { channel: Channel; trigger: string; locale: Locale },
): Promise<SchoolMessage> {
  if (!(await isReached(deps, caller, channel)))
    throw invalidField('/channel', 'needs your address for this channel in the directory', 'own_address');
  const text = { subject: 'Test', body: 'Test' };
  const how = { target_audience: [], channels: [channel], urgent: true };
  const plan = await planSchoolMessage(deps, caller, { ...USUAL_MESSAGE, ...text, ...how });
  const message: SchoolMessage = { ...plan.message, is_test: true };
  const fact = { ...plan.fact, data: { ...plan.fact.data, sample, user_id: caller.user_id } };
  return deps.transact((tx) => store(deps, { message, fact }, tx));
}

async function isReached(
  { contacts, pushSubscriptions }: Parameters<typeof sendTestMessage>[0],
  caller: Caller,
  channel: Channel,
): Promise<boolean> {
  const contact = await contacts.find(scopeOf(caller), caller.user_id);
  if (!contact) return false;
  const { reaches } = descriptorOf(channel);
  if (reaches === 'person') return true;
  if (reaches !== 'subscription') return contact[reaches] !== null;
  return (await pushSubscriptions.findMany(scopeOf(caller), [caller.user_id])).length > 0;
}

/**
 * Withdraws a message: what is not sent yet is not sent, and inboxes show that it was withdrawn. No one is notified of that.
 * Repeating it is harmless.
 * @throws Refused `not_found`
 */
export async function withdrawMessage(deps: Deps, caller: Caller, id: string): Promise<SchoolMessage> {
  const scope = scopeOf(caller);
  return deps.transact(async (tx) => {
    const now = deps.clock.now();
    const isChanged = await deps.messages.withdraw(scope, id, now, tx);
    const message = orNotFound(await deps.messages.find(scope, id, tx));
    const head = { ...scope, event_id: id, occurred_at: now, actor: actorOf(caller) };
    if (isChanged) await deps.facts.record([{ ...head, type: 'message.withdrawn', data: {} }], tx);
    return message;
  });
}

/** @throws Refused `validation_failed` */
async function loadMailbox(contacts: Deps['contacts'], caller: Caller): Promise<SchoolMessage['reply_to']> {
  const { name, email = null } = (await contacts.find(scopeOf(caller), caller.user_id)) ?? {};
  if (email === null) throw invalidField('/reply_to', 'needs your e-mail address in the directory', 'sender_address');
  return { name: name ?? '', email };
}

/**
 * Sends a message of the program itself, by e-mail and to the inbox, to the administrators of a school: the people in the
 * directory with the role `admin`, since the directory knows no permissions.
 */
export async function notifyAdministrators(
  deps: Pick<Deps, 'messages' | 'facts'>,
  scope: Scope,
  text: TranslatedText,
  now: Date,
  tx: Tx,
): Promise<void> {
  const fields: Fields = {
    ...USUAL_MESSAGE,
    ...text,
    is_notice: true,
    target_audience: ['staff'],
    channels: ['email', 'in_app'],
    reply_to: null,
    created_by: 'system',
  };
  await store(deps, planned(scopeOf(scope), 'system', fields, now), tx);
}
