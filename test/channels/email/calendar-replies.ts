/** An answer to an invitation, and the address that it goes to. */
export type Answer = {
  to: string;
  uid: string;
  answer: string;
  method?: string;
  recurrence?: string;
  /** DTSTAMP */
  stamp?: string;
  /** more lines of the event */
  more?: readonly string[];
};

const MAIL = ['From: "Eva Novak" <eva@home.example>', 'Subject: Accepted: Autumn fair', 'MIME-Version: 1.0'];
const lines = (...text: (string | readonly string[])[]): string => text.flat().join('\r\n');
const base64 = (text: string): string =>
  Buffer.from(text)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');

/** As Google Calendar sends it: the calendar as text in base64 and once more as a file. */
export function googleReply(given: Answer): Buffer {
  const { to, uid, answer, method = 'REPLY', recurrence, stamp = '20260821T070000Z', more = [] } = given;
  const ics = lines(
    'BEGIN:VCALENDAR',
    'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    'DTSTART:20260907T160000Z',
    'DTEND:20260907T173000Z',
    `DTSTAMP:${stamp}`,
    `ORGANIZER;CN=School:mailto:${to}`,
    `UID:${uid}`,
    `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=${answer};CN=Eva Nov`,
    ' ak;X-NUM-GUESTS=0:mailto:eva@home.example',
    recurrence ?? [],
    more,
    'CREATED:20260820T101500Z',
    'SEQUENCE:3',
    `STATUS:CONFIRMED`,
    'SUMMARY:Autumn fair',
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  );
  return Buffer.from(
    lines(
      MAIL,
      `To: ${to}`,
      'Content-Type: multipart/mixed; boundary="000000000000c5a3ea06"',
      '',
      '--000000000000c5a3ea06',
      'Content-Type: multipart/alternative; boundary="000000000000c5a3e906"',
      '',
      '--000000000000c5a3e906',
      'Content-Type: text/plain; charset="UTF-8"; format=flowed; delsp=yes',
      'Content-Transfer-Encoding: base64',
      '',
      base64('Eva Novak has accepted this invitation.'),
      '--000000000000c5a3e906',
      `Content-Type: text/calendar; charset="UTF-8"; method=${method}`,
      'Content-Transfer-Encoding: 7bit',
      '',
      ics,
      '--000000000000c5a3e906--',
      '--000000000000c5a3ea06',
      'Content-Type: application/ics; name="invite.ics"',
      'Content-Disposition: attachment; filename="invite.ics"',
      'Content-Transfer-Encoding: base64',
      '',
      base64(ics),
      '--000000000000c5a3ea06--',
      '',
    ),
  );
}

/** As Exchange sends it for Outlook: in base64, without ORGANIZER, and with local times of a zone with a name of its own. */
export function outlookReply({ to, uid, answer, method = 'REPLY', recurrence, stamp, more = [] }: Answer): Buffer {
  const ics = lines(
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'PRODID:Microsoft Exchange Server 2010',
    'VERSION:2.0',
    'BEGIN:VTIMEZONE',
    'TZID:Central Europe Standard Time',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `ATTENDEE;PARTSTAT=${answer};CN=Eva Novak:mailto:eva.novak@work.example`,
    'COMMENT;LANGUAGE=en-US:\\n',
    `UID:${uid}`,
    recurrence ?? [],
    more,
    'SUMMARY;LANGUAGE=en-US:Accepted: Autumn fair',
    'DTSTART;TZID=Central Europe Standard Time:20260907T180000',
    'DTEND;TZID=Central Europe Standard Time:20260907T193000',
    'CLASS:PUBLIC',
    'PRIORITY:5',
    `DTSTAMP:${stamp ?? '20260821T070000Z'}`,
    'TRANSP:OPAQUE',
    'STATUS:CONFIRMED',
    'SEQUENCE:3',
    'X-MICROSOFT-CDO-APPT-SEQUENCE:3',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  );
  return Buffer.from(
    lines(
      MAIL,
      `To: School <${to}>`,
      'X-MS-Has-Attach:',
      'Content-Type: multipart/alternative; boundary="_000_AM0PR04MB4123"',
      '',
      '--_000_AM0PR04MB4123',
      'Content-Type: text/plain; charset="us-ascii"',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'I will come.',
      '--_000_AM0PR04MB4123',
      `Content-Type: text/calendar; charset="utf-8"; method=${method}`,
      'Content-Transfer-Encoding: base64',
      '',
      base64(ics),
      '--_000_AM0PR04MB4123--',
      '',
    ),
  );
}
