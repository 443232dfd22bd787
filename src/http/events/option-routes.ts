import { Type } from 'typebox';
import { invalid } from '../../core/errors.ts';
import { dayOf } from '../../core/zoned-time.ts';
import { RECURRENCE_PATTERNS } from '../../events/event-fields.ts';
import { LIMITS } from '../../events/limits.ts';
import { listGroups } from '../../events/list.ts';
import { eventOptions } from '../../events/rules/options.ts';
import { previewSeries, SCOPES } from '../../events/rules/series/recurrence.ts';
import { endingsFor, FILE_ADDRESS } from '../../files/file-types.ts';
import { FILE_USES, type FileUse } from '../../files/ports.ts';
import { CHANNELS } from '../../people/channels.ts';
import { LOCALES } from '../../people/contact.ts';
import { ADDRESSED } from '../../registrations/message.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { date, nullable, oneOf, optional, refTo, strict } from '../schemas/fields.ts';
import { OPTIONS } from './options-schema.ts';

/** Options of the forms for registrations and messages, and limits of texts. */
const MORE_OPTIONS = {
  registration_kinds: REGISTRATION_KINDS,
  registration_statuses: REGISTRATION_STATUSES,
  message_statuses: ADDRESSED,
  edit_scopes: SCOPES,
  limits: LIMITS,
};

const UPLOADS = {
  endings: Object.fromEntries(FILE_USES.map((use) => [use, endingsFor(use)])) as Record<FileUse, string[]>,
  address: FILE_ADDRESS,
};

/** The options of the forms for events. */
export function optionRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/options`, {
    access: { permission: 'view_events' },
    name: 'getEventOptions',
    summary: 'Read the options and defaults of event forms',
    query: strict({
      locale: optional(oneOf(LOCALES, { description: 'The language of the suggested titles; `en` by default.' })),
    }),
    answers: { 200: refTo(OPTIONS, 'The options') },
    result: async (joined, caller, { query }) => {
      const school = await joined.schools.find(caller);
      const options = eventOptions(school, caller, dayOf(joined.clock.now(), school.timezone), query.locale);
      const on = CHANNELS.filter((channel) => joined.openChannels.has(channel));
      const uploads = { ...UPLOADS, max_bytes: joined.maxFileBytes };
      return { ...options, ...MORE_OPTIONS, uploads, reminder_types: on, message_channels: on };
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
    answers: {
      200: Type.Object(
        {
          class_ids: GROUPS,
          grade_level_ids: GROUPS,
          department_ids: GROUPS,
          tags: GROUPS,
          categories: GROUPS,
        },
        { description: 'The groups, sorted by name' },
      ),
    },
    result: async (joined, caller) => listGroups(joined, caller),
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
    answers: {
      200: Type.Object(
        {
          dates: Type.Array(Type.String(), { description: `The first ${SHOWN} dates.` }),
          count: Type.Integer({ description: 'How many occurrences there would be.' }),
          last: nullable(Type.String({ description: 'The last date. Null if the end lies before the start.' })),
        },
        { description: 'The dates' },
      ),
    },
    result: async (_deps, _caller, { query }) => {
      const { start_date, recurrence_pattern, recurrence_end_date = null, recurrence_count = null } = query;
      const rule = { start_date, recurrence_pattern, recurrence_end_date, recurrence_count };
      const { dates, faults } = previewSeries(rule);
      if (faults.length > 0) throw invalid(faults.map((one) => ({ ...one, pointer: `/query${one.pointer}` })));
      return { dates: dates.slice(0, SHOWN), count: dates.length, last: dates.at(-1) ?? null };
    },
  });
}

const GROUPS = Type.Array(
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

const SHOWN = 5;
