import { oneLine } from '../../core/plain-text.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { emailAddress, type Locale, needsSmtpUtf8 } from '../../people/contact.ts';
import type { Trigger } from '../policy/trigger.ts';
import type { ContentInput } from './content.ts';
import type { Content } from './message.ts';
import { inWords, momentSpan, zoneInWords } from './when.ts';

type Terms = Pick<Content['event'], 'price' | 'register_by' | 'attachments' | 'contact'>;

/** Messages to people who come, or may come. */
const PRICED: readonly Trigger[] = ['event.published', 'registration.confirmed', 'reminder.due'];

/** What a family needs to decide: deadline, price, files, and whom to ask. */
export const termsInWords = (input: ContentInput): Terms => ({
  register_by: deadlineInWords(input),
  price: PRICED.includes(input.trigger) ? priceInWords(input.event, input.locale) : '',
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
export function deadlineInWords({ event, fact, trigger, locale, timezone }: ContentInput): string {
  if (trigger !== 'event.published') return '';
  const { registration_type, registration_deadline, timezone: zone } = event;
  if (registration_type === 'none' || registration_deadline === null) return '';
  if (registration_deadline < fact.occurred_at) return '';
  const words = inWords(momentSpan(registration_deadline, zone), locale);
  return timezone === zone ? words : `${words} (${zoneInWords(zone, locale, registration_deadline)})`;
}

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
export function webLink(text: string | undefined): string {
  if (!text || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return '';
  return new URL(text).href;
}
