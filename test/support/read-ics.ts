import ICAL from 'ical.js';

/**
 * The events of a calendar file, read by ical.js, the library behind Thunderbird and Nextcloud.
 * @throws on lines that RFC 5545 forbids but ical.js accepts
 */
export function eventsIn(text: string): ICAL.Event[] {
  if (!text.endsWith('\r\n') || /[^\r]\n|\r[^\n]/.test(text)) throw new Error('not every line ends with CRLF');
  const long = text.split('\r\n').find((line) => Buffer.byteLength(line) > 75);
  if (long) throw new Error(`longer than 75 bytes: ${long}`);
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
}
