import { cut, oneLine } from '../../core/plain-text.ts';
import type { Content, PersonSlots } from '../../notifications/content/message.ts';
import type { TextsOfOne, TitledTemplate } from './bundle.ts';
import { foldForSms } from './gsm7.ts';
import { type ContentPlaceholder, type PersonSlot, valuesOf } from './placeholder.ts';
import { byPresence, type Part, type Piece, render } from './template.ts';

export type PreparedSms = { fill(person: PersonSlots): string };
export type PreparedTitled = { fill(person: PersonSlots): { title: string; body: string } };

type Limits = Partial<Record<ContentPlaceholder | PersonSlot, number>>;

/** Maximum characters per value: an SMS is paid by the part, a push must fit in 4 KB (RFC 8030). */
const SMS: Limits = {
  'school.sender_name': 24,
  'event.title': 36,
  'event.place': 22,
  'event.previous_place': 22,
  'event.reason': 40,
  'message.subject': 60,
  'message.body': 160,
  'message.from': 40,
  on_behalf_of: 30,
  meetings: 80,
};
const PUSH: Limits = {
  'event.title': 90,
  'event.place': 90,
  'event.previous_place': 90,
  'event.reason': 150,
  'message.subject': 90,
  'message.body': 400,
  'message.from': 90,
  name: 60,
  on_behalf_of: 90,
  meetings: 300,
};

/** One line, in the GSM alphabet as far as its values allow. */
export function prepareSms(template: TextsOfOne['sms'], content: Content): PreparedSms {
  const fitted: Fit = (text, name) => within(SMS, name, foldForSms(text), '...');
  const piecesFor = prepared(template.body, content, fitted);
  return { fill: (person) => joined(piecesFor(person), person, fitted) };
}

export function preparePush(template: TitledTemplate, content: Content): PreparedTitled {
  return prepareTitled(template, content, (text, name) => within(PUSH, name, oneLine(text), '…'));
}

export function prepareInApp(template: TitledTemplate, content: Content): PreparedTitled {
  return prepareTitled(template, content, (text) => text);
}

type Fit = (text: string, name: ContentPlaceholder | PersonSlot) => string;

function prepareTitled(template: TitledTemplate, content: Content, fitted: Fit): PreparedTitled {
  const title = prepared(template.title, content, fitted);
  const body = prepared(template.body, content, fitted);
  return {
    fill: (person) => ({ title: joined(title(person), person, fitted), body: joined(body(person), person, fitted) }),
  };
}

function prepared(parts: Part[], content: Content, fitted: Fit): (person: PersonSlots) => Piece[] {
  const values = valuesOf(content);
  return byPresence([parts], (present) => render(parts, (name) => fitted(values[name], name), present));
}

function joined(pieces: readonly Piece[], person: PersonSlots, fitted: Fit): string {
  let text = '';
  for (const piece of pieces)
    text += typeof piece === 'string' ? piece : fitted(oneLine(person[piece.slot]), piece.slot);
  return text;
}

function within(limits: Limits, name: keyof Limits, text: string, mark: string): string {
  const max = limits[name];
  if (max === undefined) return text;
  return name === 'event.place' || name === 'event.previous_place'
    ? nearestPlace(text, max, mark)
    : cut(text, max, mark);
}

/** Drops the outermost parts of a place first, and any link, because half a link leads nowhere. */
function nearestPlace(place: string, max: number, mark: string): string {
  const [first = '', ...more] = place.replace(/: https?:.*$/i, '').split(', ');
  let text = cut(first, max, mark);
  for (const part of more) {
    if (text.length + part.length + 2 > max) break;
    text += `, ${part}`;
  }
  return text;
}
