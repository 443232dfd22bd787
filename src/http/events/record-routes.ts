import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { findConfirmed } from '../../events/find-confirmed.ts';
import { listHistory } from '../../events/held/list-history.ts';
import { maySeeMeetingLink, withoutLink } from '../../events/rules/meeting.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import { countPeople, filterPeople, PERSON_OUTCOMES } from '../../notifications/explain/notified-people.ts';
import { NO_MESSAGES, reminderOutcomes } from '../../notifications/explain/reminder-outcomes.ts';
import { explain } from '../../notifications/explain/why.ts';
import { deferralInWords, reasonInWords } from '../../notifications/explain/why-words.ts';
import type { Fact, Place } from '../../outbox/fact.ts';
import { SHOWN_TO_ALL, TYPES_SHOWN_TO_ALL } from '../../outbox/shown-facts.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import { may } from '../../people/permissions.ts';
import type { RouteDeps } from '../deps.ts';
import { languageOf } from '../link-pages.ts';
import {
  DELIVERY,
  DELIVERY_OUTCOME,
  FACT,
  NOTIFIED_PERSON,
  PEOPLE_COUNT,
  PLANNED,
  WHY,
  WITH_STATUS,
} from '../operations/records-schema.ts';
import { PAGING, readPage } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { id, oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { EVENT_ID } from './routes.ts';

/** The records of one event: timeline, reminders and deliveries. */
export function eventRecordRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/timeline`,
    access: { permission: 'view_events' },
    name: 'getTimeline',
    tag: 'events',
    summary: 'Read the timeline of an event, newest first',
    description:
      'Only the organizer and staff who manage registrations see who registered and the names of people. Only staff see ' +
      'edits that sent no message and actions on messages.',
    params: EVENT_ID,
    query: strict(PAGING),
    answers: { 200: pageOfSchema(refTo(FACT)) },
    handle: async (joined, caller, { event, query }) => {
      const named = event.organizer_id === caller.user_id || may(caller, 'manage_registrations');
      const seesAll = named || may(caller, 'update_event') || may(caller, 'manage_deliveries');
      const types = seesAll ? undefined : TYPES_SHOWN_TO_ALL;
      const page = await readPage(query, ['timeline', event.id], (limit, last) =>
        listHistory(joined, event, { limit, before: last?.id, types }),
      );
      const ids = page.data.flatMap(({ actor }) => (actor !== null && actor !== 'system' ? actor.user_id : []));
      const people = named ? await joined.contacts.findMany(scopeOf(caller), [...new Set(ids)]) : [];
      const joins = maySeeMeetingLink(caller, event, await findConfirmed(joined, caller, [event]));
      const shown = { named, seesAll, joins };
      const names = new Map(people.map(({ user_id, name }) => [user_id, name]));
      return { status: 200, body: { ...page, data: page.data.map((fact) => factView(fact, shown, names)) } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/reminders`,
    access: { permission: 'update_event' },
    name: 'listReminders',
    tag: 'events',
    summary: 'List the reminders of an event',
    params: EVENT_ID,
    answers: { 200: pageOfSchema(refTo(PLANNED)) },
    handle: async (joined, caller, { event }) => {
      const rows = await joined.reminders.listOfEvent(scopeOf(caller), event.id);
      const outcomes = await reminderOutcomes(joined, caller, event.id);
      const data = rows
        // Hide reminders that were dropped when the event moved to another time.
        .filter((row) => row.status !== 'dropped' || row.schedule_version === event.schedule_version)
        .sort((a, b) => a.due_at.getTime() - b.due_at.getTime() || a.type.localeCompare(b.type))
        .map((row) => ({ ...row, messages: outcomes.get(row.id) ?? NO_MESSAGES }));
      return { status: 200, body: { data, next_cursor: null, has_more: false } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/deliveries`,
    access: { permission: 'manage_registrations' },
    name: 'listEventDeliveries',
    tag: 'events',
    summary: 'List the messages of an event',
    params: EVENT_ID,
    query: strict({ ...PAGING, user_id: optional(id), status: WITH_STATUS }),
    description:
      'With `user_id`, the list includes messages to the guardians of the person. The first page then has `why`: for each ' +
      'message and channel, in words, whether and when it was sent or why it was not.',
    answers: { 200: pageOfSchema(refTo(DELIVERY), { why: optional(Type.Array(refTo(WHY))) }) },
    handle: async (joined, caller, { event, query, headers }) => {
      const { user_id, status: statuses } = query;
      const locale = languageOf({ headers });
      const page = await readPage(query, ['deliveries', event.id, user_id, statuses], (limit, last) =>
        joined.deliveries.listOfEvent(scopeOf(caller), event.id, { user_id, statuses, after: last?.id, limit }),
      );
      const asksWhy = user_id !== undefined && query.cursor === undefined;
      const why = asksWhy ? { why: await explain(joined, event, { user_id, locale }) } : {};
      return { status: 200, body: { ...page, data: page.data.map((row) => deliveryView(row, locale)), ...why } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/deliveries/summary`,
    access: { permission: 'manage_registrations' },
    name: 'getDeliverySummary',
    tag: 'events',
    summary: 'Count the messages of an event by trigger, channel and result',
    params: EVENT_ID,
    answers: { 200: pageOfSchema(DELIVERY_OUTCOME) },
    handle: async (joined, caller, { event }) => {
      const data = await joined.deliveries.countOutcomes(scopeOf(caller), event.id);
      return { status: 200, body: { data, next_cursor: null, has_more: false } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/deliveries/people`,
    access: { permission: 'manage_registrations' },
    name: 'listNotifiedPeople',
    tag: 'events',
    summary: 'List the people with messages about an event, by name, with counts',
    description: '`counts` counts everyone, whatever the filters.',
    params: EVENT_ID,
    query: strict({
      ...PAGING,
      outcome: optional(oneOf(PERSON_OUTCOMES, { description: 'Only people with this outcome.' })),
      name: optional(Type.String({ maxLength: 100, description: 'Words that the name contains or begins with.' })),
    }),
    answers: { 200: pageOfSchema(NOTIFIED_PERSON, { counts: Type.Array(PEOPLE_COUNT) }) },
    handle: async (joined, caller, { event, query }) => {
      const { outcome, name } = query;
      const people = await joined.deliveries.listPeople(scopeOf(caller), event.id);
      const found = filterPeople(people, { outcome, name });
      const page = await readPage(query, ['people', event.id, outcome, name], async (limit, last) =>
        found.filter(({ id }) => !last || id > last.id).slice(0, limit),
      );
      return { status: 200, body: { ...page, counts: countPeople(people) } };
    },
  });
}

function factView(
  { id: factId, type, occurred_at, actor, data }: Fact,
  { named, seesAll, joins }: { named: boolean; seesAll: boolean; joins: boolean },
  names: ReadonlyMap<string, string>,
): Static<typeof FACT> {
  const hidden = !named && (type.startsWith('registration.') || type.startsWith('message.'));
  const fields = Object.entries(data).filter(
    // The other dates of a series have timelines of their own.
    ([name]) => name !== 'also' && (seesAll || SHOWN_TO_ALL[type]?.includes(name)),
  );
  const shown: { previous_place?: Place } = Object.fromEntries(fields);
  if (shown.previous_place && !joins) shown.previous_place = withoutLink(shown.previous_place);
  const who =
    actor !== null && typeof actor === 'object' ? { ...actor, name: names.get(actor.user_id) ?? null } : actor;
  return { id: factId, type, occurred_at, actor: hidden ? null : who, data: hidden ? {} : shown };
}

const deliveryView = (row: Delivery, locale: Locale): Static<typeof DELIVERY> => ({
  ...row,
  // The row lists the recipient too if the message is also about them; only the text of the message needs that.
  on_behalf_of: row.on_behalf_of.filter((person) => person.user_id !== row.user_id),
  reason_text: row.reason ? reasonInWords(row.reason, locale) : deferralInWords(row, locale),
});
