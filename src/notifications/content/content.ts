import { calendarObject } from '../../calendar/ics.ts';
import { digestOf } from '../../core/ids.ts';
import { isZone } from '../../core/zoned-time.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { isOpenToMembers, withoutLink } from '../../events/rules/meeting.ts';
import type { Fact, Place } from '../../outbox/fact.ts';
import { descriptorOf } from '../../people/channels.ts';
import type { Locale } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import { type Channel, ruleOf, type Trigger } from '../policy/trigger.ts';
import { ATTENDEE_SLOT, type Content } from './message.ts';
import { placeInWords } from './place.ts';
import { oneLine, severalLines } from './plain-text.ts';
import { inShort, inWords, spanOf, zoneInWords } from './when.ts';

export type ContentInput = {
  /** as it is now: with its new dates after a postponement or change */
  event: SchoolEvent;
  /** why people are told; its moment is the calendar object's DTSTAMP */
  fact: Fact;
  trigger: Trigger;
  channel: Channel;
  school: School;
  locale: Locale;
  /** the reader's */
  timezone: string;
  publicUrl: string;
  /** where answers to invitations would go: the bare address of MAIL_FROM */
  organizerAddress: string;
  /** the version of the texts, where that is settled */
  texts?: string | null;
};

/** Everything a message says to all who read it in one language and zone. Its key is a digest of what it says. */
export function contentOf(input: ContentInput): Content {
  const { event, trigger, channel, locale } = input;
  const text = {
    trigger,
    channel,
    locale,
    tenant_id: event.tenant_id,
    event_id: event.id,
    sequence: event.sequence,
    school: schoolWords(input.school),
    event: eventWords(input),
    message: messageWords(input),
  };
  const texts = input.texts ? { texts: input.texts } : {};
  const content = { ...text, calendar: descriptorOf(channel).isLong ? calendarOf(input, text) : null, ...texts };
  return { key: digestOf(JSON.stringify(content)), ...content };
}

function schoolWords(school: School): Content['school'] {
  const name = oneLine(school.name);
  return { name, sender_name: oneLine(school.sender_name ?? '') || name };
}

function messageWords({ fact }: ContentInput): Content['message'] {
  if (fact.type !== 'message.requested') return { subject: '', body: '' };
  return { subject: oneLine(fact.data.subject), body: severalLines(fact.data.body) };
}

function eventWords(input: ContentInput): Content['event'] {
  const { event, fact, channel, publicUrl } = input;
  return {
    title: oneLine(event.title),
    ...datesInWords(input),
    ...placesInWords(input),
    reason: 'reason' in fact.data ? severalLines(fact.data.reason ?? '') : '',
    description: descriptorOf(channel).isLong ? severalLines(event.description ?? '') : '',
    url: `${publicUrl.replace(/\/+$/, '')}/events/${event.id}`,
    date_known: dateKnown(event, fact),
  };
}

/**
 * Whether everybody such a message goes to may have the meeting link: those who are confirmed, or members of the school
 * where nobody has to register. The others find it on the event's page as soon as it is for them.
 */
const tellsMeeting = ({ event, trigger }: Pick<ContentInput, 'event' | 'trigger'>): boolean =>
  ['confirmed', 'registrant'].includes(ruleOf(trigger).recipients) ||
  (isOpenToMembers(event) && event.visibility !== 'public');

function placesInWords(input: ContentInput): Pick<Content['event'], 'place' | 'previous_place'> {
  const { event, fact, locale } = input;
  const shown = <P extends Place>(one: P): Place => (tellsMeeting(input) ? one : withoutLink(one as Place));
  const place = placeInWords(shown(event), locale);
  const before = 'previous_place' in fact.data && fact.data.previous_place;
  const previous = before ? placeInWords(shown(before), locale) : '';
  return { place, previous_place: previous === place ? '' : previous };
}

/** A postponement without a new date leaves the old dates in place; telling them would mislead. */
function dateKnown(event: SchoolEvent, fact: Fact): boolean {
  if (fact.type === 'event.postponed') return fact.data.date_known;
  return event.status !== 'postponed' || event.postponed_to !== null;
}

type Dates = Pick<Content['event'], 'when' | 'when_short' | 'when_yours' | 'previous_when'>;

/** The zone is named only where the reader could take the time for another one. */
function datesInWords({ event, fact, locale, timezone }: ContentInput): Dates {
  const previous = 'previous' in fact.data ? fact.data.previous : null;
  const span = spanOf(event, event.timezone);
  const here = inWords(span, locale);
  const yours = timezone !== event.timezone && isZone(timezone) ? inWords(spanOf(event, timezone), locale) : here;
  const differs = yours !== here;
  const ambiguous = differs || (previous !== null && previous.timezone !== event.timezone);
  const named = (words: string, zone: string, all_day: boolean) =>
    ambiguous && !all_day ? `${words} (${zoneInWords(zone, locale, event.starts_at)})` : words;
  const when = named(here, event.timezone, event.all_day);
  const before = previous
    ? named(inWords(spanOf(previous, previous.timezone), locale), previous.timezone, previous.all_day)
    : '';
  if (!dateKnown(event, fact)) return { when: '', when_short: '', when_yours: '', previous_when: before };
  return {
    when,
    when_short: inShort(span, locale, fact.occurred_at.getUTCFullYear()),
    when_yours: differs ? `${yours} (${zoneInWords(timezone, locale, event.starts_at)})` : '',
    previous_when: before === when ? '' : before,
  };
}

type Words = Pick<Content, 'school' | 'event'>;

function calendarOf(
  { event, fact, trigger, organizerAddress }: ContentInput,
  { school, event: words }: Words,
): Content['calendar'] {
  const method = ruleOf(trigger).calendar?.(dateKnown(event, fact)) ?? null;
  if (method === null) return null;
  const text = calendarObject(event, method, {
    stamp: stampOf(event, fact),
    url: words.url,
    location: words.place,
    organizer: { name: school.sender_name, address: organizerAddress },
    attendee: ATTENDEE_SLOT,
  });
  return { method, text };
}

/**
 * The moment of the fact, so that a text composed again is the same text. Confirmations each have a fact of their own
 * and take the event's moment instead: thousands of them then share one text.
 */
const stampOf = (event: SchoolEvent, fact: Fact): Date =>
  fact.type === 'registration.confirmed' ? (event.published_at ?? event.created_at) : fact.occurred_at;
