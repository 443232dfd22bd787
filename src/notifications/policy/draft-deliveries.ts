import { hashOf } from '../../core/ids.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { Scope } from '../../people/caller.ts';
import type { Channel } from '../../people/channels.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import { hasOptedOut, type PreferencesByPerson } from '../../people/preferences.ts';
import type { School } from '../../people/school.ts';
import { type Delivery, deliveryIdOf, type Reason, withEmptyFields } from '../delivery.ts';
import { type Deferral, deferralOf, quietsOf } from './deferral.ts';
import { isSilencedOn, type NamedDate } from './gate.ts';
import { type Destination, destinationsOf, type Recipient, withoutAddress, withReadersOf } from './recipients.ts';
import { channelsOf, fallbackOf } from './trigger.ts';
import { ruleOf, type Trigger } from './trigger-table.ts';

/** Data shared by all rows of one fact. */
export type Occasion = {
  fact: Fact;
  trigger: Trigger;
  event: SchoolEvent;
  /** all dates that the message names, this one first */
  dates: readonly NamedDate[];
  school: School;
  openChannels: ReadonlySet<Channel>;
  /** The current text version: a row is sent with the text it was drafted with, even after a deployment. */
  textVersion?(text: Pick<Delivery, 'trigger' | 'locale' | 'tenant_id'>): string;
};

/** Guardians, devices and preferences of the people of one batch. */
export type People = {
  guardiansOf(recipient: Recipient): Parameters<typeof destinationsOf>[2];
  hasPush(user_id: string): boolean;
  /** the people who have this address, which was given with a registration, in the directory */
  ownersOf(address: string): readonly Contact[];
  preferences: PreferencesByPerson;
};

/**
 * Drafts the rows of one batch: one per recipient (or address) and channel. A recipient who can't or need not be notified
 * gets a skipped row with the reason. The same batch always gives the same keys.
 */
export function draftDeliveries(
  occasion: Occasion,
  recipients: readonly Recipient[],
  people: People,
  now: Date,
): Delivery[] {
  const { fact, trigger, openChannels } = occasion;
  const chosen = channelsOf(occasion);
  const fallbacks = new Map(chosen.map((channel) => [channel, fallbackOf(channel, chosen, openChannels)]));
  const takenOver = new Set<Channel | null>(fallbacks.values());
  const direct = chosen.filter((channel) => !takenOver.has(channel));
  // For a reminder drafted ahead of time the gate checks the switch when it is due.
  const isRaisedAhead = fact.type === 'reminder.due' && sendAt(fact, now) > now;
  const isSilenced = isSilencedOn(occasion) && !isRaisedAhead;
  return recipients.flatMap((recipient) => {
    const guardians = people.guardiansOf(recipient);
    return direct.flatMap((channel) => {
      const destinations = destinationsOf(recipient, channel, guardians, people.hasPush);
      const none = destinations.length === 0 ? 'no_contact' : null;
      const reason = isSilenced ? 'notifications_off' : (reasonNotToSend(occasion, recipient, channel) ?? none);
      const fallback = reason ? null : (fallbacks.get(channel) ?? null);
      return (reason ? [withoutAddress(recipient)] : destinations).map((to) => {
        // A person who turned the channel off gets its fallback; the gate checks whether they want that one.
        const isOff =
          fallback !== null && hasOptedOut(people.preferences.get(to.user_id)?.opted_out ?? [], trigger, channel);
        const over = isOff ? { channel: fallback, fallback: null } : { channel, fallback };
        return draftDelivery(occasion, { recipient, to, reason, ...over }, people, now);
      });
    });
  });
}

/** The reasons that are known when a message is drafted; all others are the gate's. */
export function reasonNotToSend(
  { fact, openChannels }: Occasion,
  { contact }: Pick<Recipient, 'contact'>,
  channel: Channel,
): Reason | null {
  if (contact?.left_at) return 'left_school';
  // Rows of a missed reminder are skipped.
  if (fact.type === 'reminder.due' && fact.data.missed) return fact.data.missed;
  return openChannels.has(channel) ? null : 'channel_off';
}

const MINUTE_MS = 60_000;

/** When messages are sent: reminders are raised ahead of time, and changes wait for more changes to merge. */
function sendAt({ data }: Fact, now: Date): Date {
  const at = 'tell_at' in data ? data.tell_at : undefined;
  return at && at > now ? at : now;
}

/** A reminder of a chosen meeting is due before that meeting instead of the event, and expires when the meeting begins. */
function timesOfMeeting({ fact, event }: Occasion, first_minute: number | undefined, now: Date) {
  if (fact.type !== 'reminder.due' || !first_minute) return null;
  const meets = event.starts_at.getTime() + first_minute * MINUTE_MS;
  const due_at = new Date(Math.max(now.getTime(), meets - fact.data.offset * MINUTE_MS));
  return { due_at, expires_at: new Date(meets) };
}

/** What one row is for; `reason`: why it is skipped. */
type Draft = {
  recipient: Pick<Recipient, 'registration_id' | 'first_minute'>;
  channel: Channel;
  fallback: Channel | null;
  to: Destination;
  reason: Reason | null;
};

/** Drafts one row. */
export function draftDelivery(
  occasion: Occasion,
  { recipient, channel, fallback, to, reason }: Draft,
  people: Pick<People, 'preferences' | 'ownersOf'>,
  now: Date,
): Delivery {
  const { fact, trigger, event, school, textVersion } = occasion;
  const others = occasion.dates.slice(1).map(({ event: { id, sequence } }) => [id, sequence] as const);
  const { tenant_id, school_id } = event;
  const receiver = receiverOf(to);
  const rule = ruleOf(trigger);
  const version = rule.version(fact);
  const timezone = to.timezone ?? school.timezone;
  const locale = people.preferences.get(to.user_id)?.locale ?? to.locale ?? school.locale;
  const ofMeeting = timesOfMeeting(occasion, recipient.first_minute, now);
  const { due_at, expires_at } = ofMeeting ?? { due_at: sendAt(fact, now), expires_at: expiryOf(occasion) };
  const owners = (to.given_by && to.address && people.ownersOf(to.address)) || [];
  const quiets = quietsOf(to.given_by === null ? [to] : owners, people.preferences, school);
  const deferral = reason ? null : deferralOf({ fact, trigger, event, channel, expires_at }, quiets, due_at);
  return withEmptyFields({
    tenant_id,
    school_id,
    id: deliveryIdOf({ tenant_id, school_id, event_id: fact.event_id, trigger, version, channel, recipient: receiver }),
    event_id: fact.event_id,
    fact_id: fact.id,
    trigger,
    channel,
    fallback,
    urgent: rule.urgent,
    user_id: to.user_id,
    on_behalf_of: to.on_behalf_of,
    name: to.name,
    address: to.address,
    given_by: to.given_by,
    address_owners: owners.map(({ user_id }) => user_id),
    locale,
    timezone,
    registration_ids: recipient.registration_id === null ? [] : [recipient.registration_id],
    // The one that the message states: the event may have changed since.
    schedule_version: 'schedule_version' in fact.data ? fact.data.schedule_version : event.schedule_version,
    sequence: event.sequence,
    other_sequences: others.length > 0 ? Object.fromEntries(others) : undefined,
    status: reason ? 'skipped' : 'waiting',
    reason,
    ...(deferral ? deferredTo(deferral, { ...to, tenant_id, school_id, channel }) : { due_at }),
    expires_at,
    template_version: reason ? null : (textVersion?.({ trigger, locale, tenant_id }) ?? null),
    created_at: now,
    // Staff may choose a time days ahead; it is retried for a day from then on.
    redriven_at: fact.type === 'acknowledgement.reminded' && due_at > now ? due_at : null,
    settled_at: reason ? now : null,
  });
}

/** The fields of a deferred row. */
export const deferredTo = ({ until, cause }: Deferral, row: Parameters<typeof digestKeyOf>[0]) => ({
  due_at: until,
  held_until: until,
  held_for: cause,
  digest_key: digestKeyOf(row),
});

/** Deferred messages to one reader on one channel have the same key. */
export const digestKeyOf = (row: Pick<Delivery, keyof Scope | 'channel'> & Receiver): string =>
  hashOf(row.tenant_id, row.school_id, row.channel, receiverOf(row));

type Receiver = Pick<Destination, 'user_id' | 'address' | 'given_by'>;

/** One message per verified address; for unverified ones per person who entered it, so that a stranger's can't hide another. */
function receiverOf({ user_id, address, given_by }: Receiver): string {
  if (address === null) return `user:${user_id}`;
  return given_by === null ? sameAddressForm(address) : `given by ${given_by}: ${sameAddressForm(address)}`;
}

/**
 * Merges drafts with the same key: a guardian of two recipients gets one row about both, people who share an address get one
 * row with all of them as readers. `merged` are the drafts of the further people of a shared address.
 */
export function oneRowPerKey(drafts: readonly Delivery[]): { rows: Delivery[]; merged: Delivery[] } {
  const byKey = new Map<string, Delivery>();
  const merged: Delivery[] = [];
  for (const draft of drafts) {
    const first = byKey.get(draft.id);
    if (first && first.user_id !== draft.user_id) merged.push(draft);
    byKey.set(draft.id, first ? withReadersOf(first, draft) : draft);
  }
  return { rows: [...byKey.values()], merged };
}

/** The skipped row of a reader, or of people they read for, if another row has the message to their address. */
export function mergedRow(row: Delivery, now: Date): Delivery {
  const recipient = `user:${[row, ...row.on_behalf_of].map(({ user_id }) => user_id)}`;
  return {
    ...row,
    also: [],
    id: deliveryIdOf({ ...row, version: `merged:${row.id}`, recipient }),
    status: 'skipped',
    reason: 'same_address',
    settled_at: now,
  };
}

/** When the message has become useless for all its dates; null: never. */
export function expiryOf({ dates, trigger }: { dates: readonly NamedDate[]; trigger: Trigger }): Date | null {
  const ends = dates.map(({ event }) => ruleOf(trigger).expiresAt(event));
  return ends.some((end) => end === null) ? null : new Date(Math.max(...ends.map(Number)));
}
