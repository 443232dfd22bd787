import { calendarOfDates, type Method } from '../../calendar/ics.ts';
import { hashOf } from '../../core/ids.ts';
import { oneLine, severalLines } from '../../core/plain-text.ts';
import { inLanguage, type SchoolEvent } from '../../events/event.ts';
import { isOpenToMembers, withoutLink } from '../../events/find-confirmed.ts';
import { reasonIn } from '../../events/reshape-series.ts';
import { seriesIdOf } from '../../events/rules/series.ts';
import type { Place } from '../../outbox/fact.ts';
import { descriptorOf } from '../../people/channels.ts';
import { DEFAULT_COLOR, type School } from '../../people/school.ts';
import { isInvitation, isPublishedAgain } from '../policy/trigger.ts';
import { ruleOf, type Trigger } from '../policy/trigger-table.ts';
import {
  dateKnown,
  datesInWords,
  deadlineInWords,
  nameAndAddress,
  pathOf,
  placeInWords,
  refusalInWords,
  replyToOf,
  termsInWords,
} from './event-words.ts';
import {
  ANSWER_FIELD,
  ATTENDEE_FIELD,
  type Content,
  type ContentInput,
  ORGANIZER_FIELD,
  STAMP_FIELD,
} from './message.ts';
import { testContent } from './sample-content.ts';
import { inWords, type Span, seriesDeadline, seriesInShort, seriesInWords, seriesLines, spanOf } from './when.ts';

/** The content shared by all recipients with the same language and time zone. Its key is a hash of all values. */
export function contentOf(given: ContentInput): Content {
  const { trigger, channel, locale, fact } = given;
  if ('sample' in fact.data && fact.data.sample) {
    const { sample } = fact.data;
    const { tenant_id, id } = given.event;
    const of = { ...sample, trigger: sample.trigger as Trigger, tenant_id, school: schoolWords(given.school) };
    return testContent(of, channel, { event_id: id, url: `${given.publicUrl}/school` });
  }
  const event = inLanguage(given.event, locale);
  const dates = given.dates.map((date) => ({ ...date, event: inLanguage(date.event, locale) }));
  const input = { ...given, event, dates };
  const text = {
    trigger,
    channel,
    locale,
    tenant_id: event.tenant_id,
    event_id: event.id,
    series_id: seriesIdOf(event),
    sequence: event.sequence,
    school: schoolWords(input.school),
    event: eventWords(input),
    message: messageWords(input),
    reply_to: replyToOf(input),
  };
  const texts = input.texts ? { texts: input.texts } : {};
  const content = { ...text, calendar: descriptorOf(channel).isLong ? calendarOf(input, text) : null, ...texts };
  return { key: hashOf(JSON.stringify(content)), ...content };
}

/** How messages name and show a school. */
export function schoolWords(school: School): Content['school'] {
  const name = oneLine(school.name);
  const sender_name = oneLine(school.sender_name ?? '') || name;
  return { name, sender_name, color: school.color ?? DEFAULT_COLOR, logo_url: school.logo_url ?? '' };
}

function messageWords({ event, fact }: ContentInput): Content['message'] {
  switch (fact.type) {
    case 'message.school':
    case 'message.urgent':
      return { subject: oneLine(event.title), body: severalLines(event.description ?? ''), from: '' };
    case 'message.requested':
      return { subject: oneLine(fact.data.subject), body: severalLines(fact.data.body), from: '' };
    case 'message.answered':
      return { subject: '', body: severalLines(fact.data.text), from: nameAndAddress(fact.data) };
    default:
      return { subject: '', body: '', from: '' };
  }
}

function eventWords(input: ContentInput): Content['event'] {
  const { event, fact, channel } = input;
  return {
    title: oneLine(event.title),
    reason: reasonInWords(input),
    description: descriptorOf(channel).isLong ? severalLines(event.description ?? '') : '',
    ...termsInWords(input),
    ...(isSeries(input) ? seriesWords(input) : { ...datesInWords(input), ...placesInWords(input), dates: '' }),
    url: urlOf(event, input),
    all_day: event.all_day,
    date_known: dateKnown(event, fact),
    asks_acknowledgement: event.asks_acknowledgement,
  };
}

function reasonInWords({ fact, locale }: ContentInput): string {
  if (fact.type === 'registration.refused') return refusalInWords(fact.data.code, locale);
  return 'reason' in fact.data ? severalLines(reasonIn(locale, fact.data.reason ?? '')) : '';
}

const urlOf = (event: SchoolEvent, { fact, publicUrl }: ContentInput): string =>
  `${publicUrl}${pathOf(event, fact.type)}`;

const isSeries = ({ dates }: ContentInput): boolean => dates.length > 1;

/** The dates of a series: `when` in one line, and a line for each date with what differs from the first. */
function seriesWords(input: ContentInput) {
  const { event, fact, trigger, locale } = input;
  const dates = [...input.dates]
    .sort((a, b) => a.event.starts_at.getTime() - b.event.starts_at.getTime())
    .map((date) => ({ ...input, ...date }));
  const places = placesInWords(input);
  const deadlines = dates.map(deadlineInWords);
  const sharesDeadline = new Set(deadlines).size === 1;
  const spans = dates.map(({ event }) => spanOf(event, event.timezone));
  // A message that one date is being revised leaves out the date; one about several has to say which.
  const isRevised = fact.type === 'event.unpublished';
  const lines = dates.map((own, at) => {
    const { when, when_yours, previous_when } = datesInWords(own);
    const { place, previous_place } = placesInWords(own);
    const title = oneLine(own.event.title);
    const differs = {
      title: title === oneLine(event.title) ? '' : title,
      place: place === places.place ? '' : place,
      previous_place: previous_place === places.previous_place ? '' : previous_place,
      register_by: sharesDeadline ? '' : (deadlines[at] ?? ''),
    };
    return { when: isRevised ? inWords(spans[at] as Span, locale) : when, when_yours, previous_when, ...differs };
  });
  const isKnown = isRevised || dateKnown(event, fact);
  const pattern = trigger === 'event.published' ? event.recurrence_pattern : 'none';
  return {
    ...places,
    when: isKnown ? seriesInWords(spans, pattern, locale) : '',
    when_short: isKnown ? seriesInShort(spans, pattern, locale, fact.occurred_at.getUTCFullYear()) : '',
    when_yours: '',
    previous_when: '',
    previous_when_short: '',
    dates: seriesLines(lines, locale),
    register_by: seriesDeadline(deadlines, locale),
  };
}

/**
 * Whether this message has room for the meeting link and all its recipients may get it: confirmed people, or members of the
 * school if no registration is needed. The event page shows the link to all others who may have it.
 */
const showsMeetingLink = ({ event, trigger, channel }: Pick<ContentInput, 'event' | 'trigger' | 'channel'>): boolean =>
  channel !== 'sms' &&
  channel !== 'push' &&
  (trigger === 'registration.confirmed' ||
    ruleOf(trigger).recipients === 'confirmed' ||
    (isOpenToMembers(event) && event.visibility !== 'public'));

function placesInWords(input: ContentInput) {
  const { event, fact, locale } = input;
  const shown = (place: Place) => placeInWords(showsMeetingLink(input) ? place : withoutLink(place), locale);
  const before: Place = ('previous_place' in fact.data && fact.data.previous_place) || event;
  const [place, previous] = [shown(event), shown(before)];
  if (previous !== place) return { place, place_changed: true, previous_place: previous, link_changed: false };
  const link_changed = before.location?.virtualLink !== event.location?.virtualLink;
  return { place, place_changed: false, previous_place: '', link_changed };
}

/**
 * One calendar entry for each date; for readers who attend some of several, an update of those. An announcement has entries
 * only if it is an invitation, of a series, whose many dates no one copies by hand, or of an event published again, whose
 * entry was removed or is out of date.
 */
function calendarOf(input: ContentInput, words: Pick<Content, 'school' | 'event'>): Content['calendar'] {
  const invites = input.invites === true && isInvitation(input.fact, input.event);
  const method = invites ? 'REQUEST' : methodOf(input);
  const { dates, attended = [] } = input;
  const isOfRegistrant = ruleOf(input.trigger).recipients === 'registrant';
  // The end of one registration must not take the event out of the calendar of a family of which someone comes.
  if (method === null || (method === 'CANCEL' && isOfRegistrant && attended.length > 0)) return null;
  const isUpdate = method !== 'CANCEL' && attended.length > 0;
  const shown = isUpdate ? dates.filter(({ event }) => attended.includes(event.id)) : dates;
  const textAs = (as: Method) => {
    const entries = shown.map((date) => ({
      event: date.event,
      details: {
        organizer: { name: words.school.sender_name, address: ORGANIZER_FIELD },
        attendee: as === 'PUBLISH' ? null : { answer: ANSWER_FIELD, address: ATTENDEE_FIELD },
        stamp: STAMP_FIELD,
        url: urlOf(date.event, input),
        location: placesInWords({ ...input, ...date }).place,
        comment: words.event.reason,
      },
    }));
    return calendarOfDates(entries, as);
  };
  return { method, text: textAs(method), for_others: method === 'REQUEST' && !invites ? textAs('PUBLISH') : null };
}

function methodOf(input: ContentInput): Method | null {
  const { event, fact, trigger, attended = [] } = input;
  if (trigger === 'event.published' && isSeries(input) && attended.length === 0) return 'PUBLISH';
  return isPublishedAgain(fact) ? 'REQUEST' : (ruleOf(trigger).calendar?.(dateKnown(event, fact)) ?? null);
}
