import { hashOf } from '../../core/ids.ts';
import { escapeHtml, htmlLines, linkedLines, oneLine } from '../../core/plain-text.ts';
import { utcStamp } from '../../core/zoned-time.ts';
import {
  ANSWER_FIELD,
  ATTENDEE_FIELD,
  type Attendee,
  type Content,
  ORGANIZER_FIELD,
  type PersonValues,
  STAMP_FIELD,
} from '../../notifications/content/message.ts';
import {
  addrSpec,
  asUrl,
  header,
  personalHeaders,
  quotedPrintable,
  quotedPrintableFile,
  type Sender,
  SOFT_BREAK,
  senderAddress,
  sharedHeaders,
} from './mail-encoding.ts';
import type { TextsOfOne } from './template.ts';
import { byPresence, type ContentPlaceholder, type PersonField, type Piece, render, valuesOf } from './template.ts';

export type MailTo = {
  /** a plain addr-spec; anything else makes `fill` throw BadAddress */
  address: string;
  person: PersonValues;
  attendee?: Attendee;
  /** the part of the Message-ID before the @, the same in every copy of one delivery */
  messageId: string;
  date: Date;
  /** when the message was drafted, the same in every copy: orders the versions of a calendar entry (DTSTAMP) */
  draftedAt: Date;
};

/** Values whose web addresses become links in HTML, since Thunderbird and others only find them in plain text. */
const LINKED: ReadonlySet<ContentPlaceholder> = new Set([
  'event.place',
  'event.dates',
  'event.reason',
  'event.description',
  'event.attachments',
  'message.body',
]);

/** Encodes everything except the person's values once per Content; `fill` only inserts those. */
export function prepareEmail(template: TextsOfOne['email'], content: Content, sender: Sender) {
  const values = valuesOf(content);
  const plain = (name: ContentPlaceholder) => values[name];
  const escaped = (name: ContentPlaceholder) => (LINKED.has(name) ? linkedLines : htmlLines)(values[name]);
  const subject = render(template.subject, plain, new Set()).join('');
  const shared = sharedHeaders(content, sender, subject);
  const organizer = senderAddress(sender.from);
  const variantsWith = (calendar: Calendar | null) =>
    byPresence([template.text, template.html], (present) => {
      const text = filled(render(template.text, plain, present), 'text');
      const html = filled(render(template.html, escaped, present), 'html');
      return [shared, ...structure(content, calendar, text, html)];
    });
  const variants = new Map<string | undefined, ReturnType<typeof variantsWith>>();
  const variantsFor = (attendee: Attendee | undefined) => {
    const { reply_to, partstat } = attendee ?? {};
    const answer = partstat ? `PARTSTAT=${partstat};RSVP=${reply_to ? 'TRUE' : 'FALSE'}` : undefined;
    const known = variants.get(answer) ?? variantsWith(calendarFor(content, answer));
    variants.set(answer, known);
    return known;
  };

  /** The complete message: ASCII, CRLF, without dot-stuffing. */
  function fill({ address, person, attendee, messageId, date, draftedAt }: MailTo): Buffer {
    const personal: PersonValues = {
      ...person,
      name: oneLine(person.name),
      on_behalf_of: oneLine(person.on_behalf_of),
      unsubscribe_url: asUrl(person.unsubscribe_url),
      place_url: person.place_url && asUrl(person.place_url),
      acknowledgement_url: person.acknowledgement_url && asUrl(person.acknowledgement_url),
    };
    const { messageDomain: domain } = sender;
    const head = personalHeaders({ messageId, domain, date, address, unsubscribeUrl: person.unsubscribe_url });
    const calendar = {
      organizer: attendee?.reply_to ?? organizer,
      attendee: asMailto(addrSpec(address)),
      stamp: utcStamp(draftedAt),
    };
    const pieces = variantsFor(attendee)(personal).map((one) =>
      typeof one === 'string' ? one : encodedValue(one, personal, calendar),
    );
    return Buffer.from(head + pieces.join(''));
  }

  return { fill };
}

/** A field between two texts, and the MIME part that contains it. */
type Fill = { field: PersonField; as: 'text' | 'html' } | { field: keyof CalendarValues; as: 'text' | 'file' };

function encodedValue(kind: Fill, person: PersonValues, calendar: CalendarValues): string {
  if (kind.field === 'organizer' || kind.field === 'attendee' || kind.field === 'stamp') {
    const folded = calendar[kind.field].match(/.{1,64}/g) ?? [];
    return kind.as === 'file'
      ? folded.map(quotedPrintableFile).join(`=0D=0A${SOFT_BREAK} `)
      : folded.map(quotedPrintable).join('\r\n ');
  }
  return quotedPrintable(kind.as === 'html' ? escapeHtml(person[kind.field]) : person[kind.field]);
}

type CalendarValues = Record<'organizer' | 'attendee' | 'stamp', string>;

type Calendar = Pick<NonNullable<Content['calendar']>, 'method' | 'text'>;

/** The calendar object of attendees with this answer so far, or of other readers. */
function calendarFor({ calendar }: Content, answer: string | undefined): Calendar | null {
  if (calendar?.method === 'REQUEST' && answer === undefined)
    return calendar.for_others === null ? null : { method: 'PUBLISH', text: calendar.for_others };
  return calendar && { ...calendar, text: calendar.text.replaceAll(ANSWER_FIELD, answer ?? ACCEPTED) };
}

const ACCEPTED = 'PARTSTAT=ACCEPTED;RSVP=FALSE';

/** RFC 6068, 2: quotes, percent signs and letters beyond ASCII are percent-encoded in a `mailto:`. */
function asMailto(address: string): string {
  if (/^[!#$&-~]+$/.test(address)) return address;
  const at = address.lastIndexOf('@');
  return encodeURIComponent(address.slice(0, at)) + address.slice(at);
}

const FILES = { REQUEST: 'invite.ics', CANCEL: 'cancel.ics', PUBLISH: 'dates.ics' } as const;

/**
 * multipart/alternative. A calendar object is added twice: as third alternative, which Gmail and Outlook need for their
 * own buttons, and as an attached file for all other programs.
 */
function structure(
  { key }: Content,
  calendar: Calendar | null,
  text: (string | Fill)[],
  html: (string | Fill)[],
): (string | Fill)[] {
  const boundary = `=_${hashOf(key).slice(0, 24)}`;
  const alternative = `${boundary}_a`;
  const parts = [
    part(alternative, ['Content-Type: text/plain; charset=utf-8'], text),
    part(alternative, ['Content-Type: text/html; charset=utf-8'], html),
  ];
  // A published calendar invites no one, so it is only a file to add.
  if (calendar && calendar.method !== 'PUBLISH') {
    const type = `Content-Type: text/calendar; charset=utf-8; method=${calendar.method}`;
    parts.push(part(alternative, [type], calendarFilled(calendar.text, 'text')));
  }
  const alternatives = [
    header('Content-Type', `multipart/alternative; boundary="${alternative}"`),
    '\r\n',
    ...parts.flat(),
    `--${alternative}--\r\n`,
  ];
  if (calendar === null) return alternatives;
  const file = FILES[calendar.method];
  // Thunderbird adds only `text/calendar` to its calendar.
  const type = calendar.method === 'PUBLISH' ? 'text/calendar; charset=utf-8' : 'application/ics';
  return [
    header('Content-Type', `multipart/mixed; boundary="${boundary}"`),
    `\r\n--${boundary}\r\n`,
    ...alternatives,
    ...part(
      boundary,
      [`Content-Type: ${type}; name="${file}"`, `Content-Disposition: attachment; filename="${file}"`],
      calendarFilled(calendar.text, 'file'),
    ),
    `--${boundary}--\r\n`,
  ];
}

function part(boundary: string, headers: string[], body: (string | Fill)[]): (string | Fill)[] {
  const head = [`--${boundary}`, ...headers, 'Content-Transfer-Encoding: quoted-printable', '', ''].join('\r\n');
  return [head, ...body, '\r\n'];
}

const filled = (pieces: Piece[], as: 'text' | 'html'): (string | Fill)[] =>
  betweenSoftBreaks(pieces.map((one) => (typeof one === 'string' ? quotedPrintable(one) : { field: one.field, as })));

const FIELD_NAMES = { [ORGANIZER_FIELD]: 'organizer', [ATTENDEE_FIELD]: 'attendee', [STAMP_FIELD]: 'stamp' } as const;
const isCalendarField = (piece: string): piece is keyof typeof FIELD_NAMES => Object.hasOwn(FIELD_NAMES, piece);

function calendarFilled(text: string, as: 'text' | 'file'): (string | Fill)[] {
  const encode = as === 'file' ? quotedPrintableFile : quotedPrintable;
  const pieces = text.split(new RegExp(`(${Object.keys(FIELD_NAMES).join('|')})`));
  return betweenSoftBreaks(
    pieces.map((piece) => (isCalendarField(piece) ? { field: FIELD_NAMES[piece], as } : encode(piece))),
  );
}

/** Texts and values are encoded separately, so soft breaks between them keep every line short. */
function betweenSoftBreaks(pieces: (string | Fill)[]): (string | Fill)[] {
  const last = pieces.length - 1;
  return pieces.flatMap((piece, at) => {
    const isWholeLines = typeof piece === 'string' && piece.endsWith('\r\n');
    return at === last || isWholeLines ? [piece] : [piece, SOFT_BREAK];
  });
}
