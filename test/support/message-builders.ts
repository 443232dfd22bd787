import { setMaxListeners } from 'node:events';
import type { SchoolEvent } from '../../src/events/event.ts';
import type { SchoolMessage } from '../../src/messages/message.ts';
import type { ChannelAdapter } from '../../src/notifications/channel-adapter.ts';
import { contentOf } from '../../src/notifications/content/content.ts';
import type { Outgoing } from '../../src/notifications/content/message.ts';
import { capacityOf } from '../../src/notifications/delivery/capacity.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import type { StoredEntry } from '../../src/notifications/inbox/entry.ts';
import type { Occasion } from '../../src/notifications/policy/draft-deliveries.ts';
import { triggerOf } from '../../src/notifications/policy/trigger.ts';
import type { Fact, FactData, FactType } from '../../src/outbox/fact.ts';
import { CHANNELS, type Channel } from '../../src/people/channels.ts';
import { anEvent, aSchool, at, NOW, SCOPE } from './builders.ts';

/** Builders of facts, messages and inbox entries about the event of `anEvent`. */

/** An announcement by e-mail that was just drafted. */
export const aDelivery = (more: Partial<Delivery> = {}): Delivery => ({
  ...SCOPE,
  id: 'delivery-1',
  event_id: 'event-1',
  fact_id: 'fact-1',
  trigger: 'event.published',
  channel: 'email',
  fallback: null,
  urgent: false,
  user_id: 'eva',
  given_by: null,
  address_owners: [],
  on_behalf_of: [],
  also: [],
  name: 'Eva',
  address: 'eva@people.example',
  locale: 'en',
  timezone: 'UTC',
  registration_ids: [],
  schedule_version: 3,
  sequence: 2,
  status: 'waiting',
  reason: null,
  detail: null,
  due_at: NOW,
  held_until: null,
  held_for: null,
  digest_key: null,
  digest_id: null,
  expires_at: null,
  queued_at: null,
  claim: null,
  lease_until: null,
  fence: 0,
  attempts: 0,
  errors: 0,
  crashes: 0,
  repeated: false,
  provider: null,
  redriven_at: null,
  provider_id: null,
  template_version: null,
  title: null,
  body: null,
  created_at: NOW,
  settled_at: null,
  ...more,
});

/** A message to the whole school, by e-mail and in the inbox. */
export const aSchoolMessage = (more: Partial<SchoolMessage> = {}): SchoolMessage => ({
  ...SCOPE,
  id: 'message-1',
  subject: 'School is closed tomorrow',
  body: 'The heating has failed.',
  translations: null,
  status: 'sent',
  channels: ['email', 'in_app'],
  urgent: false,
  target_audience: ['all'],
  class_id: null,
  grade_level_ids: [],
  asks_acknowledgement: false,
  reply_to: null,
  created_by: 'staff',
  created_at: NOW,
  send_at: NOW,
  withdrawn_at: null,
  ...more,
});

/** An unread announcement in an inbox, of an event without a fact that would outdate it. */
export const anEntry = (more: Partial<StoredEntry> = {}): StoredEntry => ({
  ...aDelivery({ channel: 'in_app', address: null, status: 'sent', attempts: 1 }),
  title: 'Concert',
  body: 'On Friday',
  settled_at: NOW,
  seen_at: null,
  read_at: null,
  archived_at: null,
  arrived_at: Math.floor((more.settled_at ?? NOW).getTime() / 1_000),
  ...more,
});

export const rendering = {
  links: { place: () => '', unsubscribe: () => '', acknowledgement: () => '', reply: () => '' },
  publicUrl: 'https://school.test',
  replyDomain: null,
  contentOf,
  textVersion: () => 'texts-1',
  random: () => 0.5,
  report: () => {},
};

/** Dependencies of a fan-out that renders in-app messages with the recipient's name as body; nothing reads its queue. */
export const fanOutParts = {
  ...rendering,
  onInAppDeferred: () => {},
  factQueue: { publishParts: async () => {} },
  deliveryQueue: { add: async () => {}, depth: async () => ({ urgent: 0, bulk: 0, later: 0 }) },
  leaseMs: 60_000,
  readyTexts: async () => {},
  textOf: ({ content, person }: Outgoing) => ({ title: content.event.title, body: person.name }),
};

const NEVER = new AbortController().signal;
// Each message that is being sent listens to it.
setMaxListeners(0, NEVER);

/** Dependencies of a channel worker that has no rate limit and never stops. */
export const workerParts = (adapter: ChannelAdapter) => ({
  ...rendering,
  ...capacityOf(adapter),
  adapter,
  leaseMs: 60_000,
  acquireRate: async () => true,
  pause: async () => {},
  isUnchanged: async () => true,
  isStopping: () => false,
  stopped: NEVER,
  readyTexts: async () => {},
});

const SCHEDULE = {
  start_date: '2026-10-01',
  end_date: '2026-10-01',
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'UTC',
  all_day: false,
};

const ORDINARY: FactData = {
  'event.created': {},
  'event.scheduled': { publish_at: null },
  'event.published': { sequence: 1, schedule_version: 3 },
  'event.unpublished': { sequence: 2, tell_at: at('2026-09-01T08:02:00Z') },
  'event.cancelled': { sequence: 2, reason: 'storm', notify: null },
  'event.postponed': {
    sequence: 2,
    schedule_version: 3,
    change_version: 1,
    reason: 'storm',
    previous: SCHEDULE,
    date_known: true,
    notify: null,
  },
  'event.returned': { to: 'scheduled' },
  'event.changed': {
    sequence: 2,
    schedule_version: 3,
    change_version: 1,
    fields: ['start_time'],
    previous: SCHEDULE,
    tell_at: at('2026-09-01T08:00:00Z'),
  },
  'event.edited': { fields: ['title'] },
  'event.started': { schedule_version: 3 },
  'event.completed': {},
  'event.deleted': {},
  'registration.pending': { registration_id: 'registration-1', user_id: 'eva' },
  'registration.confirmed': { registration_id: 'registration-1', user_id: 'eva', confirmation: 1 },
  'registration.waitlisted': { registration_id: 'registration-1', user_id: 'eva', waitlist_number: 1, position: 1 },
  'registration.cancelled': { registration_id: 'registration-1', user_id: 'eva', reason: null, freed_seat: true },
  'registration.refused': { user_id: 'eva', code: 'event_full' },
  'registration.edited': { registration_id: 'registration-1', user_id: 'eva', fields: ['notes'] },
  'registration.check_in_undone': { registration_id: 'registration-1', user_id: 'eva' },
  'registration.checked_in': { registration_id: 'registration-1', user_id: 'eva' },
  'acknowledgement.given': { user_id: 'eva', channel: 'email' },
  'acknowledgement.reminded': {},
  'seats.freed': { seats: 2 },
  'message.requested': {
    subject: 'What to bring',
    body: 'A raincoat.',
    channels: ['email', 'in_app'],
    status: null,
    kind: null,
  },
  'message.school': { channels: ['email', 'in_app'] },
  'message.urgent': { channels: ['email', 'in_app'] },
  'message.withdrawn': {},
  'message.answered': {
    sid: 'SM1',
    user_id: 'eva',
    name: 'Eva Nová',
    email: 'eva@people.example',
    channel: 'sms',
    text: 'We come by car.',
    forwarded: true,
  },
  'delivery.redriven': { delivery_id: 'delivery-1', channel: 'email', trigger: 'event.published' },
  'delivery.revealed': { delivery_id: 'delivery-1', channel: 'email', trigger: 'event.published' },
  'delivery.discarded': { delivery_id: 'delivery-1', channel: 'email', trigger: 'event.published' },
  'delivery.retried': { count: 3 },
  'reminder.due': { reminder_id: 'reminder-1', type: 'email', offset: 60, schedule_version: 3 },
};

/** A fact of `anEvent`, of the versions that event has. */
export const aFact = <T extends FactType>(
  type: T,
  data: Partial<FactData[T]> = {},
  more: Partial<Pick<Fact, 'id' | 'v' | 'event_id' | 'occurred_at' | 'actor'>> = {},
): Fact<T> =>
  ({
    ...SCOPE,
    id: 'fact-1',
    v: 1,
    event_id: 'event-1',
    occurred_at: NOW,
    actor: { user_id: 'staff' },
    ...more,
    type,
    data: { ...ORDINARY[type], ...data },
  }) as Fact<T>;

export const ALL_CHANNELS: ReadonlySet<Channel> = new Set(CHANNELS);

/** The occasion of a fact about `anEvent`. */
export function anOccasion(fact: Fact, more: Partial<SchoolEvent> = {}, rest: Partial<Occasion> = {}): Occasion {
  const trigger = triggerOf(fact);
  if (!trigger) throw new Error(`${fact.type} has no trigger`);
  const event = anEvent(more);
  const dates = [{ event, fact }];
  return { fact, trigger, event, dates, school: aSchool(), openChannels: ALL_CHANNELS, ...rest };
}
