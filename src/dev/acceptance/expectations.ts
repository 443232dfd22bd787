import type { DemoPerson } from '../school/demo-person.ts';
import { audienceOf } from './audience.ts';
import { type RequiredText, requiredTexts } from './wording.ts';

/** The fields of an event that decide who is notified of what. */
export type EventAnswer = {
  id: string;
  title: string;
  visibility: string;
  target_audience: readonly string[];
  class_id: string | null;
  grade_level_ids: readonly string[];
  starts_at: string;
  timezone: string;
  all_day: boolean;
  send_notifications: boolean;
};

export const CHANNELS = ['email', 'sms', 'push', 'in_app'] as const;
export type Channel = (typeof CHANNELS)[number];

const CHANNELS_OF = {
  'event.published': ['email', 'push', 'in_app'],
  'event.postponed': CHANNELS,
  'event.cancelled': CHANNELS,
  'registration.confirmed': ['email', 'in_app'],
  'reminder.due': CHANNELS,
} as const satisfies Record<string, readonly Channel[]>;
export type Trigger = keyof typeof CHANNELS_OF;

/** One message that must arrive exactly once. */
export type Expected = {
  trigger: Trigger;
  event_id: string;
  channel: Channel;
  /** e-mail address or number; the person's id for push and in the app */
  address: string;
  /** ids of the people who share this address */
  receivers: readonly string[];
  /** ids of the children a guardian receives it for */
  about: readonly string[];
  says: readonly RequiredText[];
  /** its messages can't arrive earlier */
  since: number;
};

/** A person who gets no message of their own, with the reason. */
export type Excluded = {
  trigger: Trigger;
  event_id: string;
  /** null: any channel */
  channel: Channel | null;
  user_id: string;
  why: Why;
};

export type Expectations = { expected: Expected[]; excluded: Excluded[] };

/** The service records the reasons of excluded people; those who are not concerned never were recipients. */
export const WHY = {
  no_contact: 'has no address there, nor have guardians',
  same_address: 'shares the address with a person who was notified',
  opted_out: 'has turned it off',
  suppressed: 'mail to this address came back before',
  notifications_off: 'notifications are switched off for this event',
  not_in_audience: 'not in the audience: another group or class',
  not_visible: 'may not see the event',
  not_registered: 'not registered',
};
export type Why = keyof typeof WHY;

/** Messages that can't be opted out of. */
const ALWAYS: readonly string[] = [
  'event.cancelled:email',
  'event.cancelled:in_app',
  'event.postponed:email',
  'event.postponed:in_app',
];

/**
 * Adds the messages that must arrive for one reason to notify people, and the people who get none: the rules of
 * docs/decisions.md, implemented a second time on purpose, without the product's code.
 */
export function addExpectations(
  { expected, excluded }: Expectations,
  occasion: { trigger: Trigger; event: EventAnswer; since: number; notified: readonly string[] | undefined },
  directory: readonly DemoPerson[],
): void {
  const { trigger, event, since, notified } = occasion;
  const byId = new Map(directory.map((person) => [person.user_id, person]));
  const about = { trigger, event_id: event.id };
  const exclude = (user_id: string, channel: Channel | null, why: Why) =>
    excluded.push({ ...about, channel, user_id, why });
  const { people, others } = notified
    ? { people: notified, others: { not_registered: [...byId.keys()].filter((id) => !notified.includes(id)) } }
    : audienceOf(event, directory);
  for (const [why, ids] of Object.entries(others)) for (const id of ids) exclude(id, null, why as Why);
  for (const channel of CHANNELS_OF[trigger]) {
    const mailboxes = new Map<string, Mailbox>();
    for (const id of people) {
      const person = byId.get(id);
      if (!person) continue;
      if (!event.send_notifications) exclude(id, channel, 'notifications_off');
      else if (!addToMailbox(person, channel, byId, mailboxes)) exclude(id, channel, 'no_contact');
    }
    for (const [address, { receivers, children }] of mailboxes) {
      const wanted = receivers.filter(
        (one) => ALWAYS.includes(`${trigger}:${channel}`) || !hasOptedOut(one, trigger, channel),
      );
      const [first, ...rest] = receivers;
      for (const one of rest) exclude(one.user_id, channel, 'same_address');
      if (wanted.length === 0 && first) exclude(first.user_id, channel, 'opted_out');
      const bounced = channel === 'email' ? wanted.find(({ bounces }) => bounces) : undefined;
      if (bounced) exclude(bounced.user_id, channel, 'suppressed');
      if (wanted.length === 0 || bounced) continue;
      expected.push({
        ...about,
        channel,
        address,
        receivers: receivers.map(({ user_id }) => user_id),
        about: children.map(({ user_id }) => user_id),
        says: requiredTexts({ trigger, event, people }, channel, wanted, children),
        since,
      });
    }
  }
}

type Mailbox = { receivers: DemoPerson[]; children: DemoPerson[] };

/** Adds a person to their own mailbox, or to those of their guardians. @returns false without any address */
function addToMailbox(
  person: DemoPerson,
  channel: Channel,
  byId: ReadonlyMap<string, DemoPerson>,
  mailboxes: Map<string, Mailbox>,
): boolean {
  const own = addressOf(person, channel);
  const guardians = person.guardians.flatMap((id) => byId.get(id) ?? []);
  const readers = own !== null ? [person] : guardians.filter((guardian) => addressOf(guardian, channel) !== null);
  for (const reader of readers) {
    const address = addressOf(reader, channel) ?? '';
    const mailbox = mailboxes.get(address) ?? { receivers: [], children: [] };
    mailboxes.set(address, mailbox);
    if (!mailbox.receivers.includes(reader)) mailbox.receivers.push(reader);
    if (reader !== person && !mailbox.children.includes(person)) mailbox.children.push(person);
  }
  return readers.length > 0;
}

/** The address of a person on this channel; null for none. */
export function addressOf(person: DemoPerson, channel: Channel): string | null {
  if (channel === 'email') return person.email;
  if (channel === 'sms') return person.phone;
  return channel === 'in_app' || person.push ? person.user_id : null;
}

const hasOptedOut = ({ opted_out }: DemoPerson, trigger: string, channel: string): boolean =>
  [`${trigger}:${channel}`, `${trigger}:*`, `*:${channel}`, '*:*'].some((wish) => opted_out.includes(wish));
