import { oneLine } from '../../core/plain-text.ts';
import { isZone } from '../../core/zoned-time.ts';
import { placeName, type SchoolEvent } from '../../events/event.ts';
import { spanOfSlot } from '../../events/rules/slots.ts';
import type { Fact, FactType, Place, Schedule } from '../../outbox/fact.ts';
import { emailAddress, type Locale, needsSmtpUtf8 } from '../../people/contact.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import { isAfterDeadline } from '../../registrations/seats/admission.ts';
import type { Person } from '../delivery.ts';
import { isPublishedAgain } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { Content, ContentInput } from './message.ts';
import { inShort, inWords, momentSpan, spanOf, timesInWords, zoneInWords } from './when.ts';

/** The details that a family needs to decide: registration and its deadline, price, files, and whom to ask. */
export const termsInWords = (input: ContentInput) => ({
  register_by: deadlineInWords(input),
  open_for_registration: isOpenForRegistration(input),
  published_again: isPublishedAgain(input.fact),
  keeps_registrations: isPublishedAgain(input.fact) && input.event.registration_type !== 'none',
  price: ruleOf(input.trigger).showsPrice ? priceInWords(input.event, input.locale) : '',
  attachments: input.event.attachments.flatMap(({ name, url }) => linkInWords(name, url)).join('\n'),
  contact: nameAndAddress(input.event.organizer),
});

/**
 * The mailbox to which answers go: the organizer's, or that of the person whose answer is forwarded to the organizer. Null if
 * there is none that every mail server accepts.
 */
export function replyToOf({ event, fact }: Pick<ContentInput, 'event' | 'fact'>): Content['reply_to'] {
  const to = fact.type === 'message.answered' ? fact.data : event.organizer;
  const address = emailAddress(to?.email ?? '');
  if (address === null || needsSmtpUtf8(address)) return null;
  return { name: oneLine(to?.name ?? ''), address };
}

/** `150 Kč`; '' for a free event. */
function priceInWords({ is_free, cost, currency }: SchoolEvent, locale: Locale): string {
  if (is_free || cost === null || currency === null) return '';
  const format = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(locale, format).format(cost).replaceAll('\u00a0', ' ');
}

/** The deadline of an announcement, on the event's clock; '' if there is none or it had passed when the fact was recorded. */
export function deadlineInWords(input: ContentInput): string {
  const { locale, timezone } = input;
  const { registration_deadline, timezone: zone } = input.event;
  if (registration_deadline === null || !isOpenForRegistration(input)) return '';
  const words = inWords(momentSpan(registration_deadline, zone), locale);
  return timezone === zone ? words : `${words}, ${zoneInWords(zone, locale, registration_deadline)}`;
}

const isOpenForRegistration = ({ event, fact, trigger }: ContentInput): boolean =>
  trigger === 'event.published' && event.registration_type !== 'none' && !isAfterDeadline(event, fact.occurred_at);

/** `Jan Dvořák, jan@school.example`; only what is known. */
export const nameAndAddress = (person: { name?: string; email?: string | null } | null): string =>
  [person?.name, person?.email]
    .map((part) => oneLine(part ?? ''))
    .filter((part) => part !== '')
    .join(', ');

function linkInWords(name: string, url: string): string[] {
  const link = webLink(url);
  return link === '' ? [] : [`${oneLine(name)}: ${link}`];
}

/** An http(s) address in its standard form; '' for any other text. */
function webLink(text: string | undefined): string {
  if (!text || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return '';
  return new URL(text).href;
}

const ROOM: Record<Locale, string> = { en: 'room', cs: 'místnost' };

/** The place of an event in one line, or ''. Leaves out links other than http(s). */
export function placeInWords(event: Place, locale: Locale): string {
  const { location } = event;
  const room = oneLine(location?.room ?? '');
  const parts = [
    placeName(event) ?? '',
    /^\d+\w?$/.test(room) ? `${ROOM[locale]} ${room}` : room,
    location?.building ?? '',
    location?.address ?? '',
  ].map(oneLine);
  const link = webLink(location?.virtualLink);
  if (location?.isVirtual || link) parts.push(link ? `online: ${link}` : 'online');
  const known = parts.filter((part, at) => part !== '' && parts.indexOf(part) === at).join(', ');
  return known.charAt(0).toLocaleUpperCase(locale) + known.slice(1);
}

/**
 * The chosen meetings in the order of their times: `16:20–16:30, Jana Dvořáková; 17:00–17:10, Petr Malý`; with the child, if
 * the message is about several: `16:20–16:30, Jana Dvořáková (Tom)`. '' without any.
 */
export function meetingsInWords(
  event: SchoolEvent,
  registrations: readonly RegistrationState[],
  people: readonly Person[],
  locale: Locale,
): string {
  const { slots, timezone, id } = event;
  if (!slots) return '';
  const meetings = registrations
    .filter(({ event_id }) => event_id === id)
    .flatMap(({ user_id, slots: chosen = [] }) => chosen.map((slot) => ({ user_id, slot })))
    .sort((a, b) => a.slot.minute - b.slot.minute);
  const isForSeveral = new Set(meetings.map(({ user_id }) => user_id)).size > 1;
  return meetings
    .map(({ user_id, slot }) => {
      const { starts_at, ends_at } = spanOfSlot(event, slot);
      const { start } = momentSpan(starts_at, timezone);
      const { start: end } = momentSpan(ends_at, timezone);
      const host = slots.hosts.find((one) => one.user_id === slot.host_user_id)?.name ?? '';
      const child = isForSeveral ? (people.find((one) => one.user_id === user_id)?.name ?? '') : '';
      const words = [timesInWords({ start, end, timed: true, all_day: false }, locale), oneLine(host)];
      return `${words.filter((word) => word !== '').join(', ')}${child ? ` (${oneLine(child)})` : ''}`;
    })
    .join('; ');
}

/**
 * The page that a message leads to, below the public address: the event's. A message of the school is read in the inbox, and
 * answers to it on its own page.
 */
export function pathOf({ id, is_message }: Pick<SchoolEvent, 'id' | 'is_message'>, type: FactType | undefined): string {
  if (!is_message) return `/events/${id}`;
  return type === 'message.answered' ? `/messages/${id}` : '/inbox';
}

/**
 * False for a postponement without a new date, whose event still has the old dates, while an event is being revised, and for
 * a message of the school.
 */
export function dateKnown(event: SchoolEvent, fact: Fact): boolean {
  if (fact.type === 'event.unpublished' || event.is_message) return false;
  if (fact.type === 'event.postponed') return fact.data.date_known;
  return event.status !== 'postponed' || event.postponed_to !== null;
}

type Dates = Pick<Content['event'], 'when' | 'when_short' | 'when_yours' | 'previous_when' | 'previous_when_short'>;

/** Names the zone only if the reader could mistake the time for local time; without brackets, since texts put times in some. */
export function datesInWords({ event, fact, locale, timezone }: ContentInput): Dates {
  const previous = ('previous' in fact.data && fact.data.previous) || null;
  const here = inWords(spanOf(event, event.timezone), locale);
  const there = isZone(timezone) ? inWords(spanOf(event, timezone), locale) : here;
  const isAmbiguous = there !== here || (previous !== null && previous.timezone !== event.timezone);
  const zoneOf = (zone: string) => `, ${zoneInWords(zone, locale, event.starts_at)}`;
  const wordsOf = (schedule: Schedule) => {
    const span = spanOf(schedule, schedule.timezone);
    const short = inShort(span, locale, fact.occurred_at.getUTCFullYear());
    return { long: inWords(span, locale), short, zone: isAmbiguous && span.timed ? zoneOf(schedule.timezone) : '' };
  };
  const now = wordsOf(event);
  const before = previous ? wordsOf(previous) : { long: '', short: '', zone: '' };
  const was = { previous_when: before.long + before.zone, previous_when_short: before.short + before.zone };
  if (!dateKnown(event, fact)) return { when: '', when_short: '', when_yours: '', ...was };
  const times = { when: now.long + now.zone, when_yours: there === here ? '' : there + zoneOf(timezone) };
  const isSameZone = before.zone === now.zone;
  if (isSameZone && before.long === now.long)
    return { ...times, when_short: now.short + now.zone, previous_when: '', previous_when_short: '' };
  // A short form has no end, so it hides that only the end has changed.
  const form = isSameZone && before.short === now.short ? 'long' : 'short';
  // Short texts have both times in one sentence, in which one zone is named once.
  const previous_when_short = before[form] + (isSameZone ? '' : before.zone);
  return { ...times, ...was, when_short: now[form] + now.zone, previous_when_short };
}

/** The reason for a refused registration, for each code that people are notified of. */
const REFUSALS: Readonly<Record<string, Record<Locale, string>>> = {
  event_full: { en: 'All places are taken.', cs: 'Všechna místa jsou obsazená.' },
  registration_closed: { en: 'Registration has closed.', cs: 'Přihlašování už skončilo.' },
  event_cancelled: { en: 'The event was cancelled.', cs: 'Akce byla zrušena.' },
  event_postponed: {
    en: 'The event was postponed. We will write to you when you can register for the new date.',
    cs: 'Akce byla odložena. Napíšeme Vám, až se budete moci přihlásit na nový termín.',
  },
  event_not_published: { en: 'You can’t register for this event now.', cs: 'Na akci se teď nejde přihlásit.' },
  not_found: { en: 'You can’t register for this event now.', cs: 'Na akci se teď nejde přihlásit.' },
  registration_not_available: { en: 'No registration is needed.', cs: 'Na akci není potřeba se přihlašovat.' },
  validation_failed: {
    en: 'The registration form asks for more. Please fill it in on the event page.',
    cs: 'Přihláška se ptá ještě na něco. Vyplňte ji prosím na stránce akce.',
  },
};

/** The reason behind a code; '' for one without words. */
export const refusalInWords = (code: string, locale: Locale): string => REFUSALS[code]?.[locale] ?? '';
