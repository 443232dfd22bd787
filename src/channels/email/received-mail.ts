import ICAL from 'ical.js';
import PostalMime, { type Address, type Email } from 'postal-mime';
import type { CalendarReply } from '../../calendar/answer-invitation.ts';
import { inUtc, isZone } from '../../core/zoned-time.ts';
import { readMessageId } from '../../notifications/providers/message-ids.ts';
import type { MailReport } from '../../notifications/providers/provider-report.ts';

const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 64 * 1024 };
/** Our messages have a few hundred. The parser takes a minute for a million empty ones. */
const LINES_MAX = 10_000;

/** Parses the start of a received mail, with its parts as text. @returns null if it is not a mail, or a hostile one */
const parseMail = (raw: Uint8Array): Promise<Email | null> =>
  PostalMime.parse(firstLines(raw), { ...LIMITS, forceRfc822Attachments: true, attachmentEncoding: 'utf8' }).catch(
    () => null,
  );

function firstLines(raw: Uint8Array): Uint8Array {
  let end = 0;
  for (let lines = 0; lines < LINES_MAX; lines++) {
    end = raw.indexOf(0x0a, end) + 1;
    if (end === 0) return raw;
  }
  return raw.subarray(0, end);
}

/** The text of the first part with one of these types; '' for none. */
const textOfPart = ({ attachments }: Email, ...types: string[]): string =>
  String(attachments.find(({ mimeType }) => types.includes(mimeType))?.content ?? '');

/**
 * Reads a returned mail: a delivery status notification (RFC 3464) or a feedback report (ARF, RFC 5965). The Message-ID in
 * its copy of the message names the delivery; `recordMailReport` checks the signature.
 * @returns null for anything else: a personal or automatic reply, or no mail at all
 */
export async function readMailReport(raw: Uint8Array): Promise<MailReport | null> {
  const mail = await parseMail(raw);
  if (!mail) return null;
  const part = (...types: string[]) => textOfPart(mail, ...types);
  const copy = part('message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers');
  const about = readMessageId(fieldsOf(copy.split(/\r?\n\r?\n/)[0] ?? '').get('message-id') ?? '');
  const feedback = part('message/feedback-report');
  if (feedback) {
    const type = fieldsOf(feedback).get('feedback-type')?.toLowerCase() ?? '';
    return { kind: 'feedback', about, type };
  }
  const status = part('message/delivery-status', 'message/global-delivery-status');
  if (!status) return null;
  // The first block describes the message, each later block one recipient; our mails have a single recipient.
  const blocks = status.split(/\r?\n[ \t]*\r?\n/);
  const recipients = blocks.map(fieldsOf).filter((fields) => actionOf(fields) !== '');
  const recipient = recipients.find((fields) => actionOf(fields) === 'failed') ?? recipients[0];
  if (!recipient) return null;
  const general = codeOf(recipient.get('status'));
  // Exim reports 5.0.0 for every failure, and the reply of the other server.
  const code = general === '5.0.0' ? (codeOf(recipient.get('diagnostic-code')) ?? general) : general;
  return { kind: 'status', about, action: actionOf(recipient), code };
}

/** The status code (RFC 3463) at the start of a field, or after the reply code of a server. */
const codeOf = (field = ''): string | null =>
  /^(?:smtp; *\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})\b/i.exec(field)?.[1] ?? null;

const actionOf = (fields: ReadonlyMap<string, string>): string =>
  /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0]?.toLowerCase() ?? '';

/** Unfolded `Name: value` lines; the first line of each name counts. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== '' && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** Answers have about 2 KB; they may repeat our description. */
const LENGTH_MAX = 64 * 1024;

const ANSWERS = ['ACCEPTED', 'DECLINED', 'TENTATIVE'] as const;

/**
 * Reads the answer of a calendar to an invitation: a mail with an iTIP REPLY (RFC 5546 §3.2.3, RFC 6047). `answerInvitation`
 * checks the signature in the address.
 * @returns null for any other mail
 */
export async function readCalendarReply(raw: Uint8Array): Promise<CalendarReply | null> {
  const mail = await parseMail(raw);
  const text = mail ? textOfPart(mail, 'text/calendar') : '';
  if (!mail || text === '' || text.length > LENGTH_MAX) return null;
  let answer: ReturnType<typeof readAnswer>;
  try {
    answer = readAnswer(text);
  } catch {
    return null; // ical.js throws for each value that it can't read
  }
  return answer && { ...answer, to: (mail.to ?? []).flatMap(addressesIn) };
}

const addressesIn = ({ address, group = [] }: Address): string[] =>
  address === undefined ? group.map((one) => one.address) : [address];

function readAnswer(text: string): Omit<CalendarReply, 'to'> | null {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const event = calendar.getFirstSubcomponent('vevent');
  if (!event || textIn(calendar, 'method').toUpperCase() !== 'REPLY') return null;
  const [attendee, ...others] = event.getAllProperties('attendee');
  const partstat = String(attendee?.getFirstParameter('partstat') ?? '').toUpperCase();
  const answer = ANSWERS.find((one) => one === partstat);
  const uid = textIn(event, 'uid');
  if (!answer || others.length > 0 || uid === '') return null;
  return { uid, recurrence_id: recurrenceIdIn(event), answer, stamp: textIn(event, 'dtstamp') };
}

const textIn = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? '');

/**
 * In the form of `recurrence_id` of an event. Zones are looked up by name: a zone defined in the mail could take long to compute,
 * so a time in a zone that has another name, such as those of Outlook, stays local.
 */
function recurrenceIdIn(event: ICAL.Component): string | null {
  const property = event.getFirstProperty('recurrence-id');
  const time = property?.getFirstValue();
  if (!(time instanceof ICAL.Time)) return null;
  const zone = property?.getFirstParameter('tzid') ?? '';
  return isZone(zone) ? inUtc(time.toICALString(), zone) : time.toICALString();
}
