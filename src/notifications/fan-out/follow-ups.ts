import { byUserId } from '../../core/groups.ts';
import type { Fact } from '../../outbox/fact.ts';
import { loadContacts } from '../../people/audience.ts';
import { type Channel, withFallback } from '../../people/channels.ts';
import type { Contact } from '../../people/contact.ts';
import type { PreferencesByPerson } from '../../people/preferences.ts';
import type { ComposeDeps } from '../delivery/compose.ts';
import { loadAnnouncedIds, NO_PEOPLE } from '../delivery/notified-before.ts';
import { type Delivery, sequenceIn } from '../delivery.ts';
import { draftDeliveries, draftDelivery, type Occasion, reasonNotToSend } from '../policy/draft-deliveries.ts';
import { isSilencedOn } from '../policy/gate.ts';
import {
  currentAddress,
  isForReaderAlone,
  namedIdsOf,
  subjectIdsOf,
  type Ties,
  tiesOf,
  UNREGISTERED,
  undoneSince,
} from '../policy/recipients.ts';
import { canInvite, channelsOf, fallbackOf, isCorrection } from '../policy/trigger.ts';
import type { NotificationStores } from '../ports.ts';
import { EVERYONE, loadNextRecipients } from './audience-cursor.ts';
import { loadPeople } from './load-occasion.ts';

/** Messages per query. */
const BATCH = 500;

/**
 * Drafts rows for people without a registration whose earlier message is no longer true. For an event without registration:
 * everyone who got an announcement. For other events: people whom the announcement invited, or everyone if it was in progress
 * at the time of the change. For an undone change: only people notified since. Uses the channels of the earlier messages, or
 * those that take over from them, and today's addresses and languages. May repeat: the same messages give the same keys.
 */
export async function* draftCorrections(
  deps: NotificationStores & Pick<ComposeDeps, 'replyDomain'>,
  occasion: Occasion,
  now: Date,
): AsyncGenerator<Delivery[]> {
  const { fact, trigger, event, dates, openChannels } = occasion;
  if (!isCorrection(trigger)) return;
  const { deliveries } = deps;
  const since = undoneSince(fact);
  const event_ids = await loadAnnouncedIds(deps, dates, ['event.published']);
  const isForAll =
    dates.some(({ event }) => event.registration_type === 'none') ||
    since !== null ||
    (await deliveries.isBeingAnnounced(event, event_ids, firstEditAt(fact)));
  // Announcements are invitations then, so calendars show the event to people who are not registered.
  const isInviting = deps.replyDomain !== null && canInvite(event);
  if (!isForAll && !isInviting) return;
  const isWanted = (row: Delivery) =>
    isOutdated(occasion, row) && (isForAll || (row.channel === 'email' && isForReaderAlone(row)));
  const channels = channelsOf(occasion);
  for (let after: string | null = null; ; ) {
    const page = { after, limit: BATCH };
    const earlier: Delivery[] = since
      ? await deliveries.listReachedSince(event, event.id, since, page)
      : await deliveries.listAnnounced(event, event_ids, page);
    const registered = since ? NO_PEOPLE : await loadRegisteredAmong(deps, occasion, earlier);
    const outdated = earlier.flatMap((row) => {
      const channel = currentChannel(row, channels, openChannels);
      if (!channel || !isWanted(row) || subjectIdsOf([row]).every((id) => registered.has(id))) return [];
      return { ...row, channel };
    });
    const user_ids = namedIdsOf(outdated);
    const [contacts, preferences] = await Promise.all([
      loadContacts(deps, event, user_ids),
      deps.preferences.findMany(event, user_ids),
    ]);
    const current = {
      contacts,
      ties: tiesOf([...contacts.values()]),
      preferences: byUserId(preferences),
    };
    yield outdated.map((row) => correctionOf(occasion, row, current, now));
    if (earlier.length < BATCH) return;
    after = earlier.at(-1)?.id ?? null;
  }
}

/** The channel of an earlier message, or the one that takes over from it if the school has turned the channel off. */
function currentChannel({ channel }: Delivery, chosen: readonly Channel[], open: ReadonlySet<Channel>) {
  const used = withFallback(channel).filter((one) => chosen.includes(one));
  return used.find((one) => open.has(one)) ?? used[0];
}

/** When the first of the edits was made that one notice joins: an announcement may have been in progress then, and is no more. */
const firstEditAt = ({ data, occurred_at }: Fact): Date =>
  'changed_at' in data && data.changed_at ? data.changed_at : occurred_at;

/** Whether an announcement may give an old time or place: one drafted after the change, such as a held one, does not. */
const isOutdated = ({ dates }: Occasion, row: Delivery): boolean =>
  dates.some(({ event, fact }) => fact.type !== 'event.changed' || (sequenceIn(row, event) ?? 0) < fact.data.sequence);

/** Registered people get the regular notice instead. */
async function loadRegisteredAmong(
  { registrations }: NotificationStores,
  occasion: Occasion,
  rows: readonly Delivery[],
) {
  const user_ids = subjectIdsOf(rows);
  if (user_ids.length === 0 || occasion.dates.every(({ event }) => event.registration_type === 'none'))
    return NO_PEOPLE;
  const active = await Promise.all(
    occasion.dates.map(({ event }) => registrations.findAmong(event, event.id, { ids: [], user_ids })),
  );
  return new Set(active.flat().map((registration) => registration.user_id));
}

type Current = { contacts: ReadonlyMap<string, Contact>; ties: Ties; preferences: PreferencesByPerson };

function correctionOf(
  occasion: Occasion,
  earlier: Delivery,
  { contacts, ties, preferences }: Current,
  now: Date,
): Delivery {
  const { fact, openChannels } = occasion;
  const { channel, also, address_owners } = earlier;
  const address = currentAddress(earlier, contacts, ties);
  const none = address === null && earlier.address !== null ? 'no_contact' : null;
  const reason = isSilencedOn(occasion)
    ? 'notifications_off'
    : (reasonNotToSend(occasion, { contact: null }, channel) ?? none);
  const locale = contacts.get(earlier.user_id)?.locale ?? earlier.locale;
  const fallback = fallbackOf(channel, channelsOf(occasion), openChannels);
  const draft = { recipient: UNREGISTERED, channel, fallback, to: { ...earlier, address, locale }, reason };
  const row = draftDelivery(occasion, draft, { preferences, ownersOf: () => [] }, now);
  // The correction of an announcement concerns no registration, even for people who had one.
  const registration_ids = undoneSince(fact) ? earlier.registration_ids : [];
  return { ...row, also, address_owners, registration_ids };
}

/** Reminders are drafted at most this long before they are due. */
const AHEAD_MS = 30_000;
/** Reminder facts that are read, newest first: twice as many as an event has reminders. */
const MAX_REMINDERS = 20;

/**
 * Drafts reminders for a person who was confirmed after the reminder's rows were drafted but before it is due to them. Reads
 * nothing unless a reminder of the event is that near. May be repeated: the keys are those of the reminder's own fan-out.
 */
export async function* draftLateReminders(
  deps: NotificationStores,
  occasion: Occasion,
  now: Date,
): AsyncGenerator<{ reminder: Occasion; drafts: Delivery[] }> {
  const { fact, event } = occasion;
  if (fact.type !== 'registration.confirmed') return;
  const dueAt = (offset: number, meeting = 0) => event.starts_at.getTime() + (meeting - offset) * 60_000;
  // The last meeting that can be chosen begins before the event ends.
  const lasts = event.slots ? event.ends_at.getTime() - event.starts_at.getTime() : 0;
  const isNear = event.reminders.some(
    ({ offset }) => dueAt(offset) + lasts > fact.occurred_at.getTime() && dueAt(offset) - AHEAD_MS <= now.getTime(),
  );
  if (!isNear) return;
  const raised = await deps.facts.listOfEvent(event, event.id, { types: ['reminder.due'], limit: MAX_REMINDERS });
  const current = raised
    .filter((fact) => fact.type === 'reminder.due')
    .filter(({ data }) => data.schedule_version === event.schedule_version);
  if (current.length === 0) return;
  const { recipients } = await loadNextRecipients(deps, occasion, EVERYONE);
  for (const raisedFact of current) {
    const { offset } = raisedFact.data;
    const late = recipients.filter(({ first_minute }) => dueAt(offset, first_minute) > fact.occurred_at.getTime());
    if (late.length === 0) continue;
    const reminder: Occasion = {
      ...occasion,
      fact: raisedFact,
      trigger: 'reminder.due',
      dates: [{ event, fact: raisedFact }],
    };
    const people = await loadPeople(deps, reminder, late);
    yield { reminder, drafts: draftDeliveries(reminder, late, people, now) };
  }
}
