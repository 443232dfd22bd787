import { type Group, groupBy } from '../../core/groups.ts';
import { hashOf } from '../../core/ids.ts';
import { cut, htmlLines as escaped, linkedLines, oneLine } from '../../core/plain-text.ts';
import type { Content, Outgoing } from '../../notifications/content/message.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import type { Locale } from '../../people/contact.ts';
import { asUrl, header, personalHeaders, quotedPrintable, type Sender, sharedHeaders } from './mail-encoding.ts';

/** A message of a digest. `title`: that of its entry in the inbox, which says what kind of message it is. */
type Part = Pick<Outgoing, 'content' | 'person'> & { delivery: Pick<Delivery, 'held_for'>; title: string };

type Label = 'registerBy' | 'price' | 'contact' | 'meetings' | 'for' | 'acknowledge';

type Frame = Record<'night' | 'holidays' | 'unsubscribe' | 'revised' | 'register' | Label, string> & {
  subject(count: number): string;
  hello(name: string): string;
};

const FRAME: Record<Locale, Frame> = {
  en: {
    subject: (count) => `${count} messages`,
    hello: (name) => (name ? `Hello ${name},` : 'Hello,'),
    night: 'You received these messages during your quiet hours:',
    holidays: 'You received these messages during the holidays:',
    unsubscribe: 'Unsubscribe',
    revised: 'Details may change. Your registration or place on the waitlist stays valid.',
    register: 'You can register on the event page.',
    registerBy: 'Please register by',
    price: 'Price',
    contact: 'Contact',
    meetings: 'Meetings',
    for: 'For',
    acknowledge: 'Please confirm that you have read this',
  },
  cs: {
    subject: (count) => `${count} ${count < 5 ? 'zprávy' : 'zpráv'}`,
    // A name would need the vocative.
    hello: () => 'Dobrý den,',
    night: 'během hodin klidu Vám přišly tyto zprávy:',
    holidays: 'během prázdnin Vám přišly tyto zprávy:',
    unsubscribe: 'Odhlásit se z odběru',
    revised: 'Podrobnosti se mohou změnit. Vaše přihláška nebo místo na čekací listině zůstává v platnosti.',
    register: 'Přihlásit se můžete na stránce akce.',
    registerBy: 'Přihlaste se prosím nejpozději',
    price: 'Cena',
    contact: 'Kontakt',
    meetings: 'Schůzky',
    for: 'Týká se',
    acknowledge: 'Potvrďte prosím, že jste zprávu četli',
  },
};

const SUBJECT_MAX = 150;

/**
 * Composes one mail from several messages to one reader: ASCII, CRLF. The same parts give the same bytes.
 * @param to `messageId`: the part of the Message-ID before the @, the same in every copy
 */
export function digestMail(
  parts: readonly Part[],
  sender: Sender,
  to: { address: string; messageId: string; date: Date },
): string {
  const [first] = parts;
  if (!first) throw new TypeError('an empty digest');
  const { person } = first;
  const alike = parts.every(({ content }) => content.reply_to?.address === first.content.reply_to?.address);
  const content = alike ? first.content : { ...first.content, reply_to: null };
  const frame = FRAME[content.locale];
  const intro = frame[parts.some(({ delivery }) => delivery.held_for === 'term_calendar') ? 'holidays' : 'night'];
  const url = asUrl(person.unsubscribe_url);
  const boundary = `=_${hashOf(to.messageId).slice(0, 24)}`;
  const entries = groupBy(parts, entryKey);
  const several = `${frame.subject(entries.length)}: ${entries.map(([{ content }]) => nameOf(content)).join(', ')}`;
  const subject = entries.length === 1 ? `${content.school.name}: ${first.title}` : cut(several, SUBJECT_MAX);
  const hello = frame.hello(oneLine(person.name));
  const text = [hello, '', intro, '', ...entries.flatMap(asText), `${frame.unsubscribe}: ${url}`, ''].join('\n');
  const html = `<!doctype html><html lang="${content.locale}"><body style="font-family:sans-serif;max-width:600px">
<p>${escaped(hello)}</p><p>${intro}</p>
${entries.map(asHtml).join('\n')}
<p style="color:#666"><a href="${escaped(url)}">${frame.unsubscribe}</a></p>
</body></html>
`;
  return [
    personalHeaders({ ...to, domain: sender.messageDomain, unsubscribeUrl: url }),
    sharedHeaders(content, sender, subject),
    header('Content-Type', `multipart/alternative; boundary="${boundary}"`),
    '\r\n',
    partOf(boundary, 'text/plain', text),
    partOf(boundary, 'text/html', html),
    `--${boundary}--\r\n`,
  ].join('');
}

const partOf = (boundary: string, type: string, text: string): string =>
  `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}\r\n`;

const nameOf = ({ event, message }: Content): string =>
  [...new Set([event.title, message.subject])].filter(Boolean).join(' – ');

const labelled = ({ locale }: Content, label: Label, value: string): string =>
  value === '' ? '' : `${FRAME[locale][label]}: ${value}`;

/** Messages of one kind about dates of one series are one entry, unless they differ in more than the date. */
const entryKey = ({ content, person, title }: Part): string => {
  const { event, message, series_id } = content;
  return JSON.stringify([
    series_id,
    title,
    event.place,
    event.price,
    ...announced(content),
    message.body,
    person.on_behalf_of,
    person.meetings,
  ]);
};

/** The description and the files of the event, which only announcements include. */
const announced = ({ trigger, event }: Content): string[] =>
  trigger === 'event.published' ? [event.description, event.attachments] : [];

/** The lines of an entry: the dates of its messages, then what they have in common. */
function linesOf(entry: Group<Part>): string[] {
  const [{ content, person }] = entry;
  const lines = [
    ...entry.flatMap(({ content: { event } }) => [event.when, event.when_yours, event.dates]),
    content.trigger === 'event.unpublished' ? FRAME[content.locale].revised : content.event.place,
    ...entry.map((part) => (part.content.event.open_for_registration ? FRAME[content.locale].register : '')),
    ...entry.map((part) => labelled(content, 'registerBy', part.content.event.register_by)),
    labelled(content, 'price', content.event.price),
    labelled(content, 'contact', content.event.contact),
    labelled(content, 'meetings', person.meetings),
    labelled(content, 'for', oneLine(person.on_behalf_of)),
    content.message.body,
    ...announced(content),
    ...entry.map((part) => labelled(content, 'acknowledge', part.person.acknowledgement_url)),
  ];
  return [...new Set(lines)].filter((line) => line !== '');
}

const urlOf = ([first]: Group<Part>): string => asUrl(first.content.event.url);

const asText = (entry: Group<Part>): string[] => [entry[0].title, ...linesOf(entry), urlOf(entry), ''];

const asHtml = (entry: Group<Part>): string =>
  `<h3 style="margin-bottom:4px"><a href="${escaped(urlOf(entry))}">${escaped(entry[0].title)}</a></h3>
<p style="margin-top:0">${linesOf(entry).map(linkedLines).join('<br>\n')}</p>`;
