import { hashOf } from '../../core/ids.ts';
import { addDays } from '../../core/zoned-time.ts';
import { NAMING } from '../../events/rules/series.ts';
import type { Channel } from '../../people/channels.ts';
import type { Locale } from '../../people/contact.ts';
import { ruleOf, type Trigger } from '../policy/trigger-table.ts';
import type { Content, PersonValues } from './message.ts';
import { inShort, inWords, type Span, seriesInShort, seriesInWords, seriesLines, spanOf, zoneInWords } from './when.ts';

/** `full`: all values; `least`: only the values that are always present; `series`: about several dates. */
const FILLINGS = ['full', 'least', 'series'] as const;
export type Filling = (typeof FILLINGS)[number];

export const fillingsOf = (trigger: Trigger): readonly Filling[] =>
  FILLINGS.filter((filling) => filling !== 'series' || (NAMING as readonly Trigger[]).includes(trigger));

const WORDS = {
  en: {
    title: 'Autumn fair',
    place: 'Aula, room 12, Main building',
    previous_place: 'Gym',
    reason: 'The band is ill; we hope for “better” days & warmer ones.',
    price: '€4.50',
    attachments: 'Programme.pdf: https://files.school.example/programme.pdf',
    description: 'Stalls, music and something warm to drink.\n\nBring your family, and a bag for apples.',
    subject: 'What to bring',
    body: 'Please bring a raincoat & boots.\n\nWe meet at the gate.',
  },
  cs: {
    title: 'Podzimní slavnost',
    place: 'Aula, místnost 12, Hlavní budova',
    previous_place: 'Tělocvična',
    reason: 'Kapela onemocněla; doufáme v „lepší“ a teplejší dny.',
    price: '120 Kč',
    attachments: 'Program.pdf: https://files.school.example/program.pdf',
    description: 'Stánky, hudba a něco teplého k pití.\n\nVezměte s sebou rodinu a tašku na jablka.',
    subject: 'Co s sebou',
    body: 'Vezměte prosím dětem pláštěnku a holínky.\n\nSejdeme se u brány.',
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** Which text a sample is of, and the school that it comes from. */
export type SampleOf = Pick<Content, 'trigger' | 'locale' | 'tenant_id' | 'school'>;

type Titled = { title: string; body: string };

/** A text with sample values on every channel. */
export type SampleMessage = {
  email: { from: { name: string; address: string }; subject: string; text: string; html: string };
  sms: { text: string; segments: number };
  push: Titled;
  in_app: Titled;
};

/** Sample values for one text, with long and accented words. */
export function sampleContent(of: SampleOf, channel: Channel, filling: Filling = 'full'): Content {
  const { trigger, locale, tenant_id, school } = of;
  const { subject, body, ...words } = WORDS[locale];
  const dates = sampleDates(locale);
  const full = filling !== 'least';
  const isSeries = filling === 'series';
  const isMoved = MOVED.includes(trigger);
  const spans = isSeries ? sampleSpans(trigger) : [];
  const isAnnouncement = trigger === 'event.published';
  const pattern = isAnnouncement ? 'weekly' : 'none';
  const ifFull = (text: string): string => (full ? text : '');
  return {
    key: [trigger, locale, tenant_id, channel, filling].join(' '),
    trigger,
    channel,
    locale,
    tenant_id,
    event_id: 'sample',
    series_id: 'sample',
    sequence: 1,
    school,
    event: {
      title: words.title,
      when: isSeries ? seriesInWords(spans, pattern, locale) : ifFull(dates.when),
      when_short: isSeries ? seriesInShort(spans, pattern, locale, 2026) : ifFull(dates.when_short),
      when_yours: isSeries ? '' : ifFull(dates.when_yours),
      previous_when: isMoved && !isSeries ? ifFull(dates.previous_when) : '',
      previous_when_short: isMoved && !isSeries ? ifFull(dates.previous_when_short) : '',
      dates: isSeries ? sampleLines(trigger, spans, locale) : '',
      place: ifFull(words.place),
      place_changed: isMoved && full,
      previous_place: isMoved ? ifFull(words.previous_place) : '',
      link_changed: false,
      reason: ruleOf(trigger).givesReason ? ifFull(words.reason) : '',
      description: ifFull(words.description),
      price: ruleOf(trigger).showsPrice ? ifFull(words.price) : '',
      register_by: isAnnouncement ? ifFull(dates.register_by) : '',
      attachments: ifFull(words.attachments),
      contact: ifFull('Jan Dvořák, jan.dvorak@lipova.example'),
      url: 'https://school.example/events/0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b',
      all_day: false,
      date_known: full,
      asks_acknowledgement: full,
      open_for_registration: full && isAnnouncement,
      published_again: false,
      keeps_registrations: false,
    },
    message: { subject, body, from: 'Jana Nováková, jana@rodina.example' },
    reply_to: full ? { name: 'Jan Dvořák', address: 'jan.dvorak@lipova.example' } : null,
    calendar: null,
  };
}

/** The sample of a test message: its title says so, and its link leads to the page that it was sent from. */
export function testContent(of: SampleOf, channel: Channel, about: { event_id: string; url: string }): Content {
  const { event, message, ...content } = sampleContent(of, channel);
  const marked = {
    ...content,
    event_id: about.event_id,
    series_id: about.event_id,
    event: { ...event, title: `Test: ${event.title}`, url: about.url },
    message: { ...message, subject: `Test: ${message.subject}` },
    reply_to: null,
  };
  return { ...marked, key: hashOf(JSON.stringify(marked)) };
}

const ZONE = 'Europe/Prague';
const on = (date: string, start_time: string, end_time: string, zone = ZONE): Span =>
  spanOf({ start_date: date, start_time, end_date: date, end_time, timezone: ZONE, all_day: false }, zone);

/** The dates of one event, for a reader in London. */
function sampleDates(locale: Locale) {
  const inZone = (span: Span, zone = ZONE) =>
    `${inWords(span, locale)}, ${zoneInWords(zone, locale, span.start.toJSDate())}`;
  const now = on('2026-09-07', '18:00', '19:30');
  const before = on('2026-09-01', '17:00', '18:30');
  return {
    when: inZone(now),
    when_short: inShort(now, locale, 2026),
    when_yours: inZone(on('2026-09-07', '18:00', '19:30', 'Europe/London'), 'Europe/London'),
    previous_when: inZone(before),
    previous_when_short: inShort(before, locale, 2026),
    register_by: inZone(on('2026-09-04', '12:00', '12:00')),
  };
}

/** A weekly series; an announcement names six dates, other messages three. */
const sampleSpans = (trigger: Trigger): Span[] =>
  Array.from({ length: trigger === 'event.published' ? 6 : 3 }, (_, week) =>
    on(addDays('2026-09-07', 7 * week), '18:00', '19:30'),
  );

const MOVED: readonly Trigger[] = ['event.changed', 'event.postponed'];

function sampleLines(trigger: Trigger, spans: readonly Span[], locale: Locale): string {
  const same = { when_yours: '', title: '', place: '', previous_place: '', register_by: '' };
  const lines = spans.map((span) => {
    const earlier = { ...span, start: span.start.minus({ hours: 1 }), end: span.end.minus({ hours: 1 }) };
    const previous_when = MOVED.includes(trigger) ? inWords(earlier, locale) : '';
    return { ...same, when: inWords(span, locale), previous_when };
  });
  return seriesLines(lines, locale);
}

/** Sample values of a reader. */
export function samplePerson(filling: Filling = 'full'): PersonValues {
  const ifFull = (value: string): string => (filling === 'least' ? '' : value);
  const flag = filling === 'least' ? '' : 'yes';
  return {
    name: ifFull('Jana Nováková'),
    on_behalf_of: ifFull('Eva, Jan'),
    unsubscribe_url: 'https://school.example/unsubscribe/c2FtcGxl.c2FtcGxlLW1hcms',
    place_url: ifFull('https://school.example/place/AZrXk2p_cAqzJ8yF0bW1xKq3rT9mVh2L'),
    acknowledgement_url: ifFull('https://school.example/ack/c2FtcGxl.c2FtcGxlLW1hcms'),
    position: ifFull('3'),
    meetings: ifFull('16:20–16:30, Jan Dvořák (Eva); 16:40–16:50, Jan Dvořák (Jan)'),
    registered: flag,
    attends: '',
    several: flag,
  };
}
