import { Type } from 'typebox';
import { mustBeValid } from '../../core/errors.ts';
import { fromKeys, pick } from '../../core/objects.ts';
import { dayOf } from '../../core/zoned-time.ts';
import { EVENT_STATUSES } from '../../events/event.ts';
import {
  AUDIENCES,
  EVENT_TYPE,
  RECURRENCE_PATTERNS,
  REGISTRATION_TYPES,
  REMINDER_TYPES,
  VISIBILITY,
} from '../../events/event-fields.ts';
import { ACTIVE_STATUSES } from '../../events/find-confirmed.ts';
import { LIMITS } from '../../events/limits.ts';
import { GROUP_KINDS, listGroups } from '../../events/list.ts';
import { eventOptions } from '../../events/rules/options.ts';
import { SCHEDULE_FIELDS } from '../../events/rules/schedule.ts';
import { previewSeries, SCOPES } from '../../events/rules/series.ts';
import { endingsFor, FILE_ADDRESS } from '../../files/file-types.ts';
import { FILE_USES } from '../../files/ports.ts';
import { ROLES } from '../../people/caller.ts';
import { CHANNELS } from '../../people/channels.ts';
import { LOCALES } from '../../people/contact.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import {
  choice,
  date,
  described,
  listOf,
  named,
  nullable,
  oneOf,
  optional,
  refTo,
  strict,
  stringOrNull,
} from '../schemas/fields.ts';
import { EVENT, EVENT_TYPE_LOOK } from './event-schema.ts';

const text = Type.String();
const truth = Type.Boolean();
const ENDINGS = Type.Array(text, { description: 'The endings of names of files that can be uploaded for this use.' });
const audience = oneOf(AUDIENCES);

export const OPTIONS = named('EventOptions', {
  event_types: listOf('The event types.', {
    value: EVENT_TYPE,
    meaning: Type.String({ description: 'What the value means.' }),
    ...EVENT_TYPE_LOOK,
    duration: nullable(Type.Integer({ description: 'The suggested duration in minutes. Null: all day.' })),
    all_day: truth,
    suggested_titles: Type.Array(text, { description: 'Suggested titles.' }),
    suggested_start_time: stringOrNull('The suggested start time.'),
    suggested_end_time: stringOrNull('The suggested end time.'),
    suggested_audience: Type.Array(audience, { description: 'The groups that such an event usually invites.' }),
  }),
  visibility: Type.Array(Type.Object({ value: VISIBILITY, icon: EVENT_TYPE_LOOK.icon, seen_by: text })),
  statuses: Type.Array(oneOf(EVENT_STATUSES)),
  registration_types: listOf('The types of registration.', {
    value: oneOf(REGISTRATION_TYPES),
    needs_deadline: Type.Boolean({ description: 'True if this type needs a registration deadline.' }),
    needs_capacity: Type.Boolean({ description: 'True if this type needs a capacity.' }),
    needs_cost: Type.Boolean({ description: 'True if this type needs a price.' }),
  }),
  registration_kinds: Type.Array(oneOf(REGISTRATION_KINDS), { description: 'The kinds of registrations.' }),
  registration_statuses: Type.Array(oneOf(REGISTRATION_STATUSES), {
    description: 'The statuses of registrations, in the order of work.',
  }),
  message_statuses: Type.Array(oneOf(ACTIVE_STATUSES), {
    description: 'The statuses of registrations that can get a message.',
  }),
  message_channels: Type.Array(oneOf(CHANNELS), { description: 'The channels of a message to registered people.' }),
  edit_scopes: Type.Array(oneOf(SCOPES), { description: 'The occurrences of a series that an edit can change.' }),
  limits: described(
    'Maximum lengths of texts in characters, and how many registrations one request can cancel.',
    fromKeys(Object.keys(LIMITS) as (keyof typeof LIMITS)[], (name) =>
      Type.Integer({ description: `The limit of \`${name}\`.` }),
    ),
  ),
  uploads: described('The limits of uploaded files.', {
    max_bytes: Type.Integer({ description: 'The limit of an uploaded file.' }),
    endings: described(
      'The kinds of files that can be uploaded.',
      fromKeys(FILE_USES, () => ENDINGS),
    ),
    address: Type.String({ description: 'A regular expression that matches the address of an uploaded file.' }),
  }),
  recurrence_patterns: listOf('How often an event can repeat.', {
    value: oneOf(RECURRENCE_PATTERNS),
    suggested_count: nullable(Type.Integer({ description: 'The suggested number of occurrences.' })),
  }),
  reminder_types: Type.Array(oneOf(REMINDER_TYPES), { description: 'The channels of reminders.' }),
  reminder_offsets: Type.Array(Type.Integer(), { description: 'Suggested minutes before the event.' }),
  target_audience: Type.Array(audience),
  roles: Type.Array(oneOf(ROLES, { description: 'A role that an event can be restricted to.' })),
  defaults: described('The values that a new event starts with.', {
    event_type: EVENT_TYPE,
    visibility: VISIBILITY,
    registration_type: oneOf(REGISTRATION_TYPES),
    recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
    ...pick(EVENT.properties, SCHEDULE_FIELDS),
    start_date: Type.String({ description: 'Tomorrow in the school’s time zone.' }),
    is_free: truth,
    is_featured: truth,
    is_active: truth,
    organizer_id: stringOrNull('Your user id.'),
    send_notifications: truth,
    asks_acknowledgement: truth,
    waitlist_enabled: truth,
    requires_approval: truth,
    target_audience: Type.Array(audience),
    duration: Type.Integer({ description: 'The duration in minutes.' }),
  }),
});

/** The options of the forms for events. */
export function optionRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/options`, {
    // The statistics have the icons and colors of the types, too.
    access: { permission: 'view_statistics' },
    name: 'getEventOptions',
    summary: 'Read the options and defaults of event forms',
    query: strict({
      locale: choice(LOCALES, 'The language of the suggested titles; `en` by default.'),
    }),
    responses: { 200: refTo(OPTIONS, 'The options') },
    result: async (deps, caller, { query }) => {
      const school = await deps.schools.find(caller);
      const options = eventOptions(school, caller, dayOf(deps.clock.now(), school.timezone), query.locale);
      const on = CHANNELS.filter((channel) => deps.openChannels.has(channel));
      return {
        ...options,
        registration_kinds: REGISTRATION_KINDS,
        registration_statuses: REGISTRATION_STATUSES,
        message_statuses: ACTIVE_STATUSES,
        edit_scopes: SCOPES,
        limits: LIMITS,
        uploads: { endings: fromKeys(FILE_USES, endingsFor), address: FILE_ADDRESS, max_bytes: deps.maxFileBytes },
        reminder_types: on,
        message_channels: on,
      };
    },
  });

  routes.get(`${EVENTS}/groups`, {
    access: { permission: 'view_events' },
    name: 'listEventGroups',
    summary: 'List classes, grades, departments, tags and categories',
    description:
      'Lists the groups of the latest events you can see. If you can create or edit events, the list also has the classes, ' +
      'grades and departments of the directory with the number of people in each.',
    query: strict({}),
    responses: { 200: GROUPS },
    result: async (deps, caller) => listGroups(deps, caller),
  });

  routes.get(`${EVENTS}/occurrences`, {
    access: { permission: 'view_events' },
    name: 'previewOccurrences',
    summary: 'Preview the dates of a recurring event',
    query: strict({
      start_date: date,
      recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
      recurrence_end_date: optional(date),
      recurrence_count: optional(Type.Integer({ minimum: 1, maximum: 366 })),
    }),
    responses: {
      200: described('The dates', {
        dates: Type.Array(Type.String(), { description: `The first ${SHOWN} dates.` }),
        count: Type.Integer({ description: 'How many occurrences there would be.' }),
        last: Type.String({ description: 'The last date.' }),
      }),
    },
    result: async (_deps, _caller, { query }) => {
      const { start_date, recurrence_pattern, recurrence_end_date = null, recurrence_count = null } = query;
      const rule = { start_date, recurrence_pattern, recurrence_end_date, recurrence_count };
      const { dates, faults } = previewSeries(rule);
      mustBeValid(faults.map((one) => ({ ...one, pointer: `/query${one.pointer}` })));
      return { dates: dates.slice(0, SHOWN), count: dates.length, last: String(dates.at(-1)) };
    },
  });
}

const GROUP = Type.Array(
  Type.Object({
    id: Type.String(),
    events: Type.Integer({ description: 'How many of the latest thousand events you can see are in this group.' }),
    people: nullable(
      Type.Integer({
        description: 'How many people of the directory are in this group. Null if you can’t create or edit events.',
      }),
    ),
  }),
);
const GROUPS = described(
  'The groups, sorted by name',
  fromKeys(GROUP_KINDS, () => GROUP),
);

const SHOWN = 5;
