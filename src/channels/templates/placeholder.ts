import type { Content, PersonSlots } from '../../notifications/content/message.ts';

type EventValue = `event.${keyof Content['event']}`;
type MessageValue = `message.${keyof Content['message']}`;
type SchoolValue = `school.${keyof Content['school']}`;

/** The same for all recipients of one Content. */
export type ContentPlaceholder = EventValue | SchoolValue | MessageValue;
/** Filled in per person. */
export type PersonSlot = keyof PersonSlots;
export type Placeholder = ContentPlaceholder | `person.${PersonSlot}`;

/** All placeholders; as records, so that the compiler reports a field added to Content or PersonSlots. */
const CONTENT: Record<ContentPlaceholder, true> = {
  'event.title': true,
  'event.when': true,
  'event.when_short': true,
  'event.when_yours': true,
  'event.previous_when': true,
  'event.dates': true,
  'event.place': true,
  'event.previous_place': true,
  'event.reason': true,
  'event.description': true,
  'event.price': true,
  'event.register_by': true,
  'event.attachments': true,
  'event.contact': true,
  'event.url': true,
  'event.date_known': true,
  'event.asks_acknowledgement': true,
  'school.name': true,
  'school.sender_name': true,
  'school.color': true,
  'school.logo_url': true,
  'message.subject': true,
  'message.body': true,
  'message.from': true,
};
const PERSON: Record<PersonSlot, true> = {
  name: true,
  on_behalf_of: true,
  unsubscribe_url: true,
  place_url: true,
  acknowledgement_url: true,
  position: true,
  meetings: true,
  registered: true,
  several: true,
};

/** Placeholders that may be used in conditions only. */
export const CONDITIONS: readonly Placeholder[] = [
  'event.date_known',
  'event.asks_acknowledgement',
  'person.registered',
  'person.several',
];

const isContentPlaceholder = (name: string): name is ContentPlaceholder => Object.hasOwn(CONTENT, name);
export const isPlaceholder = (name: string): name is Placeholder =>
  isContentPlaceholder(name) || (name.startsWith('person.') && Object.hasOwn(PERSON, name.slice(7)));

/** The person's slot that a placeholder names, or null for a value of the Content. */
export const slotOf = (name: Placeholder): PersonSlot | null =>
  name.startsWith('person.') ? (name.slice(7) as PersonSlot) : null;

/** The values of a Content by placeholder; '' for false, so that `#if` works. */
export function valuesOf(content: Content): Record<ContentPlaceholder, string> {
  const values = Object.keys(CONTENT).map((name) => {
    const [group = '', field = ''] = name.split('.');
    const value = (content as unknown as Record<string, Record<string, string | boolean>>)[group]?.[field] ?? '';
    return [name, typeof value === 'string' ? value : value ? 'yes' : ''];
  });
  return Object.fromEntries(values);
}
