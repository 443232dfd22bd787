import type { DemoPerson } from '../school/demo-person.ts';
import { type RequiredText, requiredTexts, type Titled } from './wording.ts';

/** The fields of an event that decide who is notified of what. */
export type EventAnswer = Titled & {
  id: string;
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
  'registration.waitlisted': ['email', 'in_app'],
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
  'registration.confirmed:in_app',
  'registration.waitlisted:in_app',
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

/** The fields that decide who is notified of an event. */
type Aimed = Pick<EventAnswer, 'visibility' | 'target_audience' | 'class_id' | 'grade_level_ids'>;

type Audience = { people: string[]; others: { not_in_audience: string[]; not_visible: string[] } };

const ROLES_OF: Record<string, readonly string[]> = {
  students: ['student'],
  parents: ['parent'],
  staff: ['staff', 'admin'],
  external: ['external'],
};

/** Splits people into the audience of an event, members outside it, and people who may not see it. */
export function audienceOf(event: Aimed, people: readonly DemoPerson[]): Audience {
  const wanted = event.target_audience.includes('all')
    ? null
    : event.target_audience.flatMap((one) => ROLES_OF[one] ?? []);
  const { class_id, grade_level_ids: grades } = event;
  const inGroup = (person: DemoPerson) =>
    (class_id === null || person.class_ids.includes(class_id)) &&
    (grades.length === 0 || person.grade_level_ids.some((grade) => grades.includes(grade)));
  const audience: string[] = [];
  const others = { not_in_audience: [] as string[], not_visible: [] as string[] };
  for (const person of people) {
    const family = [person, ...people.filter(({ guardians }) => guardians.includes(person.user_id))];
    if (!maySee(person, event)) others.not_visible.push(person.user_id);
    else if ((wanted && !person.roles.some((role) => wanted.includes(role))) || !family.some(inGroup))
      others.not_in_audience.push(person.user_id);
    else audience.push(person.user_id);
  }
  return { people: audience, others };
}

function maySee({ roles }: DemoPerson, { visibility }: Aimed): boolean {
  if (visibility === 'public') return true;
  if (visibility === 'staff_only') return roles.includes('staff') || roles.includes('admin');
  return roles.some((role) => role !== 'external');
}
