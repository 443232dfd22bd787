import { type Static, type TObject, Type } from 'typebox';
import { byId } from '../../core/groups.ts';
import { pick } from '../../core/objects.ts';
import { nullable, oneOf, stamp } from '../../core/schema.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { loadChildren } from '../../people/audience.ts';
import type { Scope } from '../../people/caller.ts';
import { CHANNELS, type Channel, withFallback } from '../../people/channels.ts';
import type { Locale } from '../../people/contact.ts';
import { type Delivery, isOpen, isSent, RETRYABLE_REASONS, type Reason } from '../delivery.ts';
import {
  isOwnCancellation,
  type NoMessageInput,
  type NoMessageReason,
  reasonForNoMessage,
} from '../policy/no-message.ts';
import { ALL_TRIGGERS, BROADCAST_FACTS, CHOOSABLE, channelsOf, PERSONAL_FACTS, triggerOf } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { DeliveryTally, NotificationStores } from '../ports.ts';
import { reasonOfStop, stoppedMessagesOf } from './notified-people.ts';
import { decisionInWords, inMessageOf, noMessageInWords } from './why-words.ts';

type Deps = NotificationStores & { openChannels: ReadonlySet<Channel> };

/** One decision about one person, in words for staff. */
export const EXPLAINED = {
  event_id: Type.String({
    description:
      'The event that the message is recorded for. One message about several dates of a series is recorded for one of them.',
  }),
  delivery_id: nullable(Type.String({ description: 'The message. Null if there is none.' })),
  trigger: oneOf(ALL_TRIGGERS),
  channel: nullable(oneOf(CHANNELS, { description: 'The channel. Null if the decision is about all channels.' })),
  at: stamp,
  reason: nullable(Type.String({ description: 'The reason as a code. Null if the message was sent.' })),
  text: Type.String({
    description: 'The reason in words: in Czech if Accept-Language asks for it, else in English.',
  }),
  retryable: Type.Boolean({
    description: 'Whether `POST …/deliveries/retry` with this `delivery_id` sends the message again.',
  }),
};
type Why = Static<TObject<typeof EXPLAINED>>;

const FACTS = 50;
const ROWS = 500;

/**
 * Explains why a person did or did not get the messages of an event, newest first: one sentence for each delivery that
 * concerns them, including those of their guardians, and one for each channel without a delivery. Leaves out channels that
 * are neither used nor set up. Reads only.
 */
export async function explain(
  deps: Deps,
  event: SchoolEvent,
  { user_id, locale }: { user_id: string; locale: Locale },
): Promise<Why[]> {
  const scope: Scope = event;
  const [own, broadcasts, personal, contact, registrations, school] = await Promise.all([
    deps.deliveries.listOfEvent(scope, event.id, { user_id, limit: ROWS }),
    deps.facts.listOfEvent(scope, event.id, { types: BROADCAST_FACTS, limit: FACTS }),
    deps.facts.listOfEvent(scope, event.id, { types: PERSONAL_FACTS, limit: FACTS, user_id }),
    deps.contacts.find(scope, user_id),
    deps.registrations.listOfPerson(scope, event.id, user_id),
    deps.schools.find(scope),
  ]);
  const facts = await loadNaming(deps, scope, broadcasts);
  const rows = await loadRowsOfDate(deps, event, { user_id, facts, own });
  const withdrawn = await loadWithdrawn(deps, event, facts);
  const children = (await loadChildren(deps, scope, contact ? [contact] : [])).get(user_id) ?? [];
  const removed = await deps.deliveries.findWithRemovedMessages([event.id, ...facts.map(({ event_id }) => event_id)]);
  const absent = [...facts, ...personal].flatMap((fact): Why[] => {
    const trigger = triggerOf(fact) ?? (isOwnCancellation(fact) ? 'registration.cancelled' : null);
    if (!trigger) return [];
    const ofFact = rows.filter((row) => row.fact_id === fact.id);
    const since = { isWithdrawn: withdrawn.has(fact), isRemoved: removed.includes(fact.event_id) };
    const about = { fact, trigger, event, school, contact, children, registrations, rows: ofFact, ...since };
    const head = { event_id: fact.event_id, delivery_id: null, trigger, at: fact.occurred_at };
    return reasonsByChannel(about, deps.openChannels).map(({ channel, reason }) => ({
      ...head,
      channel,
      reason,
      text: noMessageInWords(reason, locale),
      retryable: false,
    }));
  });
  const now = deps.clock.now();
  const stopped = stoppedMessagesOf(event);
  const counts = new Map(facts.map((fact) => [fact.id, factsOfDates(fact).length]));
  const decided = rows.map((row): Why => {
    const dates = counts.get(row.fact_id) ?? 1;
    const stop = reasonOfStop(row, stopped);
    const text = decisionInWords(row, user_id, locale, stop) + inMessageOf(dates, locale);
    const at = row.settled_at ?? row.created_at;
    const isLate = row.expires_at !== null && row.expires_at <= now;
    const retryable = isRetryable(row) && !isLate && !stop;
    return { ...pick(row, ['event_id', 'trigger', 'channel', 'reason']), delivery_id: row.id, at, text, retryable };
  });
  return [...decided, ...absent].sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Why a fact has no message for a person on the channels without one; `channel` is null if the reason holds for all of them. */
function reasonsByChannel(
  about: NoMessageInput,
  openChannels: ReadonlySet<Channel>,
): { channel: Channel | null; reason: NoMessageReason }[] {
  const reason = reasonForNoMessage(about);
  const channels = channelsOf(about);
  const used = new Set(about.rows.map((row) => row.channel));
  if (reason === 'own_cancellation' || (channels.length === 0 && used.size === 0)) return [{ channel: null, reason }];
  // Either a channel or its fallback has the message.
  const settled = CHANNELS.map(withFallback).filter((some) => some.some((channel) => used.has(channel)));
  const owed = channels.filter((channel) => !settled.flat().includes(channel));
  const reasonOn = (channel: Channel): NoMessageReason => {
    if (owed.includes(channel)) return reason;
    return channels.includes(channel) ? 'stand_in' : 'other_channel';
  };
  return (CHOOSABLE.includes(about.trigger) ? CHANNELS : channels)
    .filter((channel) => !used.has(channel) && (owed.includes(channel) || openChannels.has(channel)))
    .map((channel) => ({ channel, reason: reasonOn(channel) }));
}

/** The facts whose messages name the event: its own, or the fact of the lead occurrence whose message names it. */
async function loadNaming(deps: Deps, scope: Scope, facts: readonly Fact[]): Promise<Fact[]> {
  const leads = new Set(facts.flatMap(({ data }) => ('announced_with' in data && data.announced_with) || []));
  const found = await Promise.all(
    [...leads].map((id) => deps.facts.listOfEvent(scope, id, { types: BROADCAST_FACTS, limit: FACTS })),
  );
  const ofLeads = found.flat();
  return facts.flatMap((fact) => {
    const lead = 'announced_with' in fact.data && fact.data.announced_with;
    if (!lead) return fact;
    const isSame = ({ type, occurred_at }: Fact) => type === fact.type && +occurred_at === +fact.occurred_at;
    return ofLeads.find((one) => one.event_id === lead && isSame(one)) ?? [];
  });
}

/** The announcements that were never fanned out, because the event was unpublished before, and perhaps published again. */
async function loadWithdrawn({ deliveries }: Deps, event: SchoolEvent, facts: readonly Fact[]): Promise<Set<Fact>> {
  const { fact: type, isSuperseded } = ruleOf('event.published');
  const replaced = facts.filter((fact) => fact.type === type && isSuperseded?.(fact, event, []));
  const event_ids = [...new Set(replaced.map(({ event_id }) => event_id))];
  const counts = await Promise.all(event_ids.map((id) => deliveries.countByFact(event, id, 'event.published')));
  const prepared = new Set(counts.flat().map(({ fact_id }) => fact_id));
  return new Set(replaced.filter(({ id }) => !prepared.has(id)));
}

/** The messages that name the event, without those of a person who is registered for other dates of the series only. */
async function loadRowsOfDate(
  deps: Deps,
  event: SchoolEvent,
  { user_id, facts, own }: { user_id: string; facts: readonly Fact[]; own: readonly Delivery[] },
): Promise<Delivery[]> {
  const others = new Set(facts.flatMap(({ event_id }) => (event_id === event.id ? [] : event_id)));
  const ofOthers = await Promise.all(
    [...others].map((id) => deps.deliveries.listOfEvent(event, id, { user_id, limit: ROWS })),
  );
  const naming = byId(facts);
  const rows = [...own, ...ofOthers.flat().filter((row) => naming.has(row.fact_id))];
  const isOfSeries = (row: Delivery) =>
    row.registration_ids.length > 0 && 'also' in (naming.get(row.fact_id)?.data ?? {});
  const registration_ids = rows.filter(isOfSeries).flatMap((row) => row.registration_ids);
  if (registration_ids.length === 0) return rows;
  const registrations = await deps.registrations.findStatuses(event, [...new Set(registration_ids)]);
  const ofEvent = new Set(registrations.filter(({ event_id }) => event_id === event.id).map(({ id }) => id));
  return rows.filter((row) => !isOfSeries(row) || row.registration_ids.some((id) => ofEvent.has(id)));
}

/** Whether staff may send a single message again; they may also have corrected an address that was suppressed. */
const isRetryable = ({ status, reason }: Pick<Delivery, 'status' | 'reason'>): boolean =>
  status === 'failed'
    ? (RETRYABLE_REASONS as readonly (Reason | null)[]).includes(reason)
    : status === 'skipped' && reason === 'suppressed';

/** Counts of the messages of one reminder by result; open: waiting or in flight. */
type ReminderMessages = { sent: number; skipped: number; expired: number; failed: number; open: number };

export const NO_MESSAGES: ReminderMessages = { sent: 0, skipped: 0, expired: 0, failed: 0, open: 0 };

/**
 * Counts the messages of an event's reminders by result. Reads only.
 * @returns the numbers by the reminder's id
 */
export async function countReminderMessages(
  deps: NotificationStores,
  scope: Scope,
  event_id: string,
): Promise<Map<string, ReminderMessages>> {
  const tallies = await deps.deliveries.countByFact(scope, event_id, 'reminder.due');
  const outcomes = new Map<string, ReminderMessages>();
  const facts = byId(await deps.facts.findMany([...new Set(tallies.map(({ fact_id }) => fact_id))]));
  for (const tally of tallies) {
    const fact = facts.get(tally.fact_id);
    if (fact?.type !== 'reminder.due') continue;
    const messages = outcomes.get(fact.data.reminder_id) ?? { ...NO_MESSAGES };
    messages[outcomeOf(tally)] += tally.count;
    outcomes.set(fact.data.reminder_id, messages);
  }
  return outcomes;
}

function outcomeOf({ status, reason }: DeliveryTally): keyof ReminderMessages {
  if (isSent({ status })) return 'sent';
  if (isOpen({ status })) return 'open';
  if (status !== 'skipped') return 'failed';
  return reason === 'expired' ? 'expired' : 'skipped';
}
