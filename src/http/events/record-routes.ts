import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { pageOf } from '../../core/paging.ts';
import { confirmedAmong } from '../../events/find-confirmed.ts';
import { showsMeeting, withoutLink } from '../../events/rules/meeting.ts';
import { DELIVERY_STATUSES, type Delivery } from '../../notifications/delivery.ts';
import { NO_MESSAGES, reminderOutcomes } from '../../notifications/explain/reminder-outcomes.ts';
import { explain } from '../../notifications/explain/why.ts';
import { heldInWords, reasonInWords } from '../../notifications/explain/why-words.ts';
import type { Fact, Place } from '../../outbox/fact.ts';
import { SHOWN_TO_ALL, TYPES_SHOWN_TO_ALL } from '../../outbox/shown-facts.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import { may } from '../../people/permissions.ts';
import type { RouteDeps } from '../deps.ts';
import { DELIVERY, DELIVERY_OUTCOME, FACT, PLANNED, WHY } from '../operations/records-schema.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { id, oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { languageOf } from '../small-page.ts';
import { EVENT_ID } from './routes.ts';

/** What is kept about one event: its facts, its reminders, and who was told what. */
export function eventRecordRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/timeline`,
    access: { permission: 'view_events' },
    name: 'getTimeline',
    tag: 'events',
    summary: 'What happened to this event, newest first',
    description:
      'Who registered, and what those who did something are called, is told only to the organizer and to those who manage ' +
      'registrations; what staff did with messages and edits that nobody is told of, to staff only.',
    params: EVENT_ID,
    query: strict(PAGING),
    answers: { 200: pageOfSchema(refTo(FACT)) },
    handle: async (joined, caller, { event, query }) => {
      const filters = ['timeline', event.id];
      const limit = limitOf(query);
      const named = event.organizer_id === caller.user_id || may(caller, 'manage_registrations');
      const seesAll = named || may(caller, 'update_event') || may(caller, 'manage_deliveries');
      const before = positionOf(query, filters)?.id;
      const types = seesAll ? undefined : TYPES_SHOWN_TO_ALL;
      const facts = await joined.facts.listOfEvent(scopeOf(caller), event.id, { limit: limit + 1, before, types });
      const page = pageOf(facts, limit, (fact) => ({ at: fact.occurred_at.toISOString(), id: fact.id }), filters);
      const ids = page.data.flatMap(({ actor }) => (actor !== null && actor !== 'system' ? actor.user_id : []));
      const people = named ? await joined.contacts.findMany(scopeOf(caller), [...new Set(ids)]) : [];
      const joins = showsMeeting(caller, event, await confirmedAmong(joined, caller, [event]));
      const shown = { named, seesAll, joins };
      const names = new Map(people.map(({ user_id, name }) => [user_id, name]));
      return { status: 200, body: { ...page, data: page.data.map((fact) => factView(fact, shown, names)) } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/reminders`,
    access: { permission: 'update_event' },
    name: 'getReminders',
    tag: 'events',
    summary: 'The reminders planned for this event',
    params: EVENT_ID,
    answers: { 200: pageOfSchema(refTo(PLANNED)) },
    handle: async (joined, caller, { event }) => {
      const rows = await joined.reminders.ofEvent(scopeOf(caller), event.id);
      const outcomes = await reminderOutcomes(joined, caller, event.id);
      const data = rows
        // What was planned for another time and never came to anything tells nothing any more.
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
    name: 'getDeliveries',
    tag: 'events',
    summary: 'Every message to every person, and why somebody got none',
    params: EVENT_ID,
    query: strict({ ...PAGING, user_id: optional(id), status: STATUSES }),
    description:
      'With user_id, also those to guardians on the person’s behalf, and, on the first page, `why`: what was decided about ' +
      'each message and channel and when, in words, also where there was none.',
    answers: { 200: pageOfSchema(refTo(DELIVERY), { why: optional(Type.Array(refTo(WHY))) }) },
    handle: async (joined, caller, { event, query, headers }) => {
      const { user_id, status: statuses } = query;
      const locale = languageOf({ headers });
      const filters = ['deliveries', event.id, user_id, statuses];
      const limit = limitOf(query);
      const after = positionOf(query, filters)?.id;
      const rows = await joined.deliveries.ofEvent(scopeOf(caller), event.id, {
        ...(user_id === undefined ? {} : { user_id }),
        ...(statuses === undefined ? {} : { statuses }),
        ...(after === undefined ? {} : { after }),
        limit: limit + 1,
      });
      const page = pageOf(rows, limit, (row) => ({ at: '', id: row.id }), filters);
      const asksWhy = user_id !== undefined && after === undefined;
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
    summary: 'How many were told of what on which channel, and how many were not and why',
    params: EVENT_ID,
    answers: { 200: pageOfSchema(DELIVERY_OUTCOME) },
    handle: async (joined, caller, { event }) => {
      const data = await joined.deliveries.outcomes(scopeOf(caller), event.id);
      return { status: 200, body: { data, next_cursor: null, has_more: false } };
    },
  });
}

const STATUSES = optional(
  Type.Array(oneOf(DELIVERY_STATUSES), {
    minItems: 1,
    maxItems: DELIVERY_STATUSES.length,
    description: 'by status; give it again for any of several',
  }),
);

function factView(
  { id: factId, type, occurred_at, actor, data }: Fact,
  { named, seesAll, joins }: { named: boolean; seesAll: boolean; joins: boolean },
  names: ReadonlyMap<string, string>,
): Static<typeof FACT> {
  const hidden = !named && (type.startsWith('registration.') || type === 'message.requested');
  const fields = Object.entries(data).filter(([name]) => seesAll || SHOWN_TO_ALL[type]?.includes(name));
  const told: { previous_place?: Place } = Object.fromEntries(fields);
  if (told.previous_place && !joins) told.previous_place = withoutLink(told.previous_place);
  const who =
    actor !== null && typeof actor === 'object' ? { ...actor, name: names.get(actor.user_id) ?? null } : actor;
  return { id: factId, type, occurred_at, actor: hidden ? null : who, data: hidden ? {} : told };
}

const deliveryView = (row: Delivery, locale: Locale): Static<typeof DELIVERY> => ({
  ...row,
  // A receiver among those a message is about says that it is about both: that is for the text.
  on_behalf_of: row.on_behalf_of.filter((person) => person.user_id !== row.user_id),
  reason_text: row.reason ? reasonInWords(row.reason, locale) : heldInWords(row, locale),
  provider: row.provider ?? null,
  template_version: row.template_version ?? null,
});
