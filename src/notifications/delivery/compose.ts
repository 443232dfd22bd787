import { keepLatest } from '../../core/groups.ts';
import { seriesIdOf } from '../../events/rules/series.ts';
import { descriptorOf } from '../../people/channels.ts';
import type { Locale } from '../../people/contact.ts';
import type { Links } from '../../people/links.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import { contentOf } from '../content/content.ts';
import { meetingsInWords } from '../content/event-words.ts';
import type { Attendee, Content, ContentInput, Outgoing } from '../content/message.ts';
import type { Delivery, Person, Reader } from '../delivery.ts';
import { isForReaderAlone, readersOf, subjectsOf } from '../policy/recipients.ts';
import { canInvite, isAfterPause } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';

export type ComposeDeps = {
  links: Pick<Links, 'unsubscribe' | 'place' | 'acknowledgement' | 'reply'>;
  publicUrl: string;
  /** the domain of the addresses that take answers of calendars; null: calendars can't answer */
  replyDomain: string | null;
  /** `contentOf`, or a cached version of it */
  contentOf(input: ContentInput): Content;
};

/** The current event, fact, dates and school of a message. */
export type About = Pick<ContentInput, 'event' | 'fact' | 'dates' | 'attended' | 'school'> & {
  /** the registrations of the message that still exist, whose chosen meetings it names */
  registrations?: readonly RegistrationState[];
  /** whether a child of its reader attends one of the dates in `attended` */
  childAttends?: boolean;
};

/** Composes the message of one delivery: shared content and the reader's values. @throws Error if it can't be composed */
export function outgoingOf(
  deps: ComposeDeps,
  row: Delivery,
  about: About,
  readers: readonly Reader[] = readersOf(row),
): Outgoing {
  const { publicUrl, replyDomain } = deps;
  const { trigger, channel, locale, timezone, template_version: texts } = row;
  const invites = replyDomain !== null;
  const subjects = readers.flatMap(subjectsOf);
  // The others have ended, or were decided, since the message was drafted, or are no longer the readers' concern.
  const valid = (about.registrations ?? []).filter(
    ({ status, user_id }) => ruleOf(trigger).holds.includes(status) && subjects.some((one) => one.user_id === user_id),
  );
  const content = deps.contentOf({ ...about, trigger, channel, locale, timezone, publicUrl, invites, texts });
  return {
    delivery: row,
    content,
    person: {
      name: namesOf(readers),
      on_behalf_of: readers.every((reader) => reader.on_behalf_of.length === 0) ? '' : namesOf(subjects),
      ...linksOf(deps, row, about, readers),
      position: positionOf(about, valid, locale),
      several: valid.length > 1 ? 'yes' : '',
      meetings: meetingsInWords(about.event, valid, subjects, locale),
      registered: row.registration_ids.length > 0 ? 'yes' : '',
      attends: about.attended?.length ? 'yes' : '',
    },
    attendee: content.calendar ? attendeeOf(deps, row, about) : undefined,
  };
}

/** What the entry in the reader's calendar says of them: whether they come or are asked to, and where an answer goes. */
function attendeeOf(
  { links, replyDomain }: ComposeDeps,
  row: Delivery,
  { event, fact, registrations = [], attended = [], childAttends }: About,
): Attendee {
  const confirmed = registrations.filter(({ status }) => status === 'confirmed');
  const comes = attended.length > 0 || confirmed.length > 0;
  // A yes to the entry of a child must not register the parent.
  if (replyDomain === null || !isForReaderAlone(row) || childAttends)
    return { reply_to: null, partstat: comes ? 'ACCEPTED' : null };
  const isCertain = attended.length > 0 || (comes && confirmed.length === registrations.length);
  const isAsked = fact.type === 'registration.refused' || (canInvite(event) && !isAfterPause(fact));
  const unanswered = isAsked ? 'NEEDS-ACTION' : null;
  return {
    // Calendars take updates only from the organizer of the first version, be it a file, so all dates of a series share an address.
    reply_to: `${links.reply(seriesIdOf(event), row.user_id)}@${replyDomain}`,
    partstat: isCertain ? 'ACCEPTED' : registrations.length > 0 ? 'TENTATIVE' : unanswered,
  };
}

/** The places on the waitlist at the time of joining, as text; members of a family have consecutive ones. */
function positionOf({ fact }: About, valid: readonly RegistrationState[], locale: Locale): string {
  if (fact.type !== 'registration.waitlisted') return '';
  const { registration_id, family = [], position } = fact.data;
  const all = [registration_id, ...family];
  const own = valid.map(({ id }) => position + all.indexOf(id)).sort((a, b) => a - b);
  return new Intl.ListFormat(locale).format(own.map(String));
}

/** The distinct names, without empty ones. */
function namesOf(people: readonly Person[]): string {
  const names = new Map(people.map(({ user_id, name }) => [user_id, name]));
  return [...names.values()].filter((name) => name !== '').join(', ');
}

/** Readers per link, whose length is limited; others can unsubscribe or confirm after the first have. */
const LINKED = 6;

/** The links of one message. Only long messages have the longer ones: signing one costs as much as the rest of an inbox message. */
function linksOf({ publicUrl, links }: ComposeDeps, row: Delivery, { event }: About, readers: readonly Reader[]) {
  const { tenant_id, school_id, event_id, channel, trigger, registration_ids } = row;
  const { isLong } = descriptorOf(channel);
  const by = { tenant_id, school_id, user_ids: readers.slice(0, LINKED).map((one) => one.user_id) };
  // Registered people outside of the audience of the event are not asked.
  const asks = event.asks_acknowledgement && ruleOf(trigger).asksAcknowledgement && registration_ids.length === 0;
  // A link gives up one place; messages about several registrations link to the event page instead.
  const [only, ...more] = registration_ids;
  const givesUp = trigger === 'event.postponed' && more.length === 0 ? only : undefined;
  return {
    unsubscribe_url: isLong ? `${publicUrl}/unsubscribe/${links.unsubscribe({ ...by, channel })}` : '',
    acknowledgement_url: isLong && asks ? `${publicUrl}/ack/${links.acknowledgement({ ...by, event_id })}` : '',
    place_url: givesUp ? `${publicUrl}/place/${links.place(givesUp)}` : '',
  };
}

/** Contents that a cache keeps. */
const KEPT = 256;

/** Each registration has a fact of its own, but most of their messages have the same content. */
function contentKeyOf({ fact, trigger }: ContentInput): string {
  switch (fact.type) {
    case 'registration.pending':
    case 'registration.waitlisted':
    case 'registration.confirmed':
      return `${trigger} ${fact.occurred_at.getUTCFullYear()}`;
    case 'registration.cancelled':
      return `${trigger} ${fact.occurred_at.getTime()} ${fact.data.reason}`;
    default:
      return fact.id;
  }
}

/** Caches the latest contents: all recipients with the same language and time zone share one. */
export function cachedContents(make: (input: ContentInput) => Content = contentOf): (input: ContentInput) => Content {
  const kept = new Map<string, Content>();
  return (input) => {
    const { dates, attended = [], school, channel, locale, timezone, texts = '' } = input;
    // Each registration changes `version`, but nothing that a text states.
    const versions = dates.flatMap(({ event: { id, updated_at, sequence } }) => [id, updated_at.getTime(), sequence]);
    const about = [contentKeyOf(input), ...versions, school.updated_at.getTime()];
    const key = [...about, ...attended, channel, locale, timezone, texts].join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = make(input);
    keepLatest(kept, key, made, KEPT);
    return made;
  };
}
