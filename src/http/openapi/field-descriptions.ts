import { fromKeys } from '../../core/objects.ts';
import { EVENT_STATUSES } from '../../events/event.ts';
import { EVENT_FIELDS, FIELD_NAMES } from '../../events/event-fields.ts';
import { EVENT_TYPE_NAMES } from '../../events/event-types.ts';
import { ACTIONS } from '../../events/rules/lifecycle.ts';
import { CHANNELS } from '../../people/channels.ts';
import { LOCALES } from '../../people/contact.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...fromKeys(EVENT_TYPE_NAMES, (type) => `For the event type \`${type}\`.`),
  ...fromKeys(EVENT_STATUSES, (status) => `For the status \`${status}\`.`),
  ...fromKeys(Object.keys(ACTIONS), (action) => `Why the action \`${action}\` is not possible now.`),
  ...fromKeys(CHANNELS, (channel) => `For the channel \`${channel}\`.`),
  ...fromKeys(LOCALES, (locale) => `In the language \`${locale}\`.`),
  ...fromKeys(FIELD_NAMES, (name) => EVENT_FIELDS[name].description),
  admission: 'The result that one more registration would have now.',
  allowed_actions: 'The actions that are possible now.',
  register: 'Why the event takes no registrations.',
  at: 'When it was decided.',
  auth: 'The auth secret of the push subscription.',
  body: 'The text of the message.',
  byStatus: 'Events by status.',
  byType: 'Events by type.',
  capacity: 'How many people can come. Null if there is no limit.',
  channel: 'The channel of the message.',
  channels: 'The channels of the message.',
  class_ids: 'The ids of the classes.',
  clashes: 'What else is planned at this time and needs the same place or people.',
  code: 'The error code.',
  contact: 'E-mail address and phone number for this event only.',
  created_at: 'When it was created.',
  coordinates: 'The position on the map.',
  data: 'The items of the page.',
  change_id: 'The id of a change that can be undone.',
  delivery_id: 'The id of the message.',
  due_at: 'When it is due.',
  email: 'The e-mail address.',
  endpoint: 'The address of the push subscription.',
  errors: 'The faulty fields.',
  has_more: 'True if there are more items.',
  id: 'The id.',
  keys: 'The keys of the push subscription.',
  kind: 'The kind.',
  left_out: 'The registrations that were not changed as requested, with the reason.',
  lifted: 'How many suppressions were removed.',
  line: 'The number of the line, from 1.',
  locale: 'The language.',
  name: 'The name.',
  next_cursor: 'The cursor of the next page. Null on the last page.',
  notes: 'Notes for the organizer.',
  on_behalf_of: 'The children for whom a guardian gets the message.',
  p256dh: 'The public key of the push subscription.',
  phone: 'The phone number with country code.',
  reason: 'The reason.',
  registration: 'The registration.',
  retried: 'How many messages are sent again.',
  rid: 'The id of the registration.',
  roles: 'The roles.',
  seen_by: 'Who can see such events.',
  status: 'The status.',
  statuses: 'The possible statuses.',
  subject: 'The subject of the message.',
  trigger: 'The kind of message.',
  type: 'The type.',
  unread_count: 'How many messages are unread.',
  unseen_count: 'How many messages are new.',
  updated_at: 'When it last changed.',
  url: 'The address.',
  user_id: 'The user id of the person.',
  value: 'The value to send.',
  why: 'Why the person did or did not get each message.',
};

/** The description of a property or parameter by its name. A schema that gives a property its own description wins. */
export function descriptionOf(name: string): string | undefined {
  const [, whose, many] = /^(\w+)_id(s?)$/.exec(name) ?? [];
  return DESCRIPTIONS[name] ?? (whose && `The ${many ? 'ids' : 'id'} of the ${whose}${many ? 's' : ''}.`);
}
