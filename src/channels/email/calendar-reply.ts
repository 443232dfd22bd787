import ICAL from 'ical.js';
import type { Address } from 'postal-mime';
import type { CalendarReply } from '../../calendar/answer-invitation.ts';
import { instantOf, isZone, utcStamp } from '../../core/zoned-time.ts';
import { parseMail, textOfPart } from './parse-mail.ts';

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

/** In the form of `vevent.ts`. Zones are looked up by name: a zone defined in the mail could take long to compute. */
function recurrenceIdIn(event: ICAL.Component): string | null {
  const property = event.getFirstProperty('recurrence-id');
  const time = property?.getFirstValue();
  if (!(time instanceof ICAL.Time)) return null;
  const zone = property?.getFirstParameter('tzid');
  if (!zone || !isZone(zone)) return time.toICALString();
  const [date = '', clock = ''] = time.toString().split('T');
  return utcStamp(instantOf({ date, time: clock.slice(0, 5), zone }));
}
