import type { Static } from 'typebox';
import { findClashes } from '../../events/find-clashes.ts';
import { findConfirmed, maySeeMeetingLink, withoutLink } from '../../events/find-confirmed.ts';
import { listHistory } from '../../events/held-change.ts';
import { reasonIn } from '../../events/reshape-series.ts';
import { canClash } from '../../events/rules/clashes.ts';
import { countReminderMessages, NO_MESSAGES } from '../../notifications/explain/why.ts';
import type { Fact, Place } from '../../outbox/fact.ts';
import { SHOWN_FIELDS, TYPES_SHOWN_TO_ALL } from '../../outbox/shown-facts.ts';
import { loadContacts } from '../../people/audience.ts';
import { may, scopeOf } from '../../people/caller.ts';
import type { Contact, Locale } from '../../people/contact.ts';
import { isOfEvent } from '../../reminders/plan.ts';
import { preferredLanguage } from '../language.ts';
import { FACT, PLANNED } from '../operations/records-schema.ts';
import { onePage, PAGING, readPage } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { SHOWN_CLASHES } from './dry-run.ts';

/** The records of one event: timeline and reminders, and what it clashes with. */
export function eventRecordRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/:id/timeline`, {
    access: { permission: 'view_events' },
    name: 'getTimeline',
    summary: 'Read the timeline of an event, newest first',
    description:
      'Only the organizer and staff who manage registrations see who registered and the names of people. Only staff see ' +
      'edits that sent no message and actions on messages.',
    query: strict(PAGING),
    responses: { 200: pageOfSchema(refTo(FACT)) },
    result: async (deps, caller, { event, query, headers }) => {
      const named = event.organizer_id === caller.user_id || may(caller, 'manage_registrations');
      const seesAll = named || may(caller, 'update_event') || may(caller, 'manage_deliveries');
      const types = seesAll ? undefined : TYPES_SHOWN_TO_ALL;
      const page = await readPage(query, ['timeline', event.id], (limit, last) =>
        listHistory(deps, event, { limit, before: last?.id, types }),
      );
      const ids = page.data.flatMap(({ actor }) => (actor === 'system' ? [] : actor.user_id));
      const people = await loadContacts(deps, caller, named ? ids : []);
      const joins = maySeeMeetingLink(caller, event, await findConfirmed(deps, caller, [event]));
      const shown = { named, seesAll, joins, locale: preferredLanguage(headers) };
      return { ...page, data: page.data.map((fact) => factView(fact, shown, people)) };
    },
  });

  routes.get(`${EVENTS}/:id/reminders`, {
    access: { permission: 'update_event' },
    name: 'listReminders',
    summary: 'List the reminders of an event',
    responses: { 200: pageOfSchema(refTo(PLANNED)) },
    result: async (deps, caller, { event }) => {
      const [rows, outcomes, [isRemoved]] = await Promise.all([
        deps.reminders.listOfEvent(scopeOf(caller), event.id),
        countReminderMessages(deps, caller, event.id),
        deps.deliveries.findWithRemovedMessages([event.id]),
      ]);
      const data = rows
        .filter(isOfEvent)
        // Hide reminders that were dropped when the event moved to another time.
        .filter((row) => row.status !== 'dropped' || row.schedule_version === event.schedule_version)
        .sort((a, b) => a.due_at.getTime() - b.due_at.getTime() || a.type.localeCompare(b.type))
        .map((row) => ({ ...row, messages: isRemoved ? null : (outcomes.get(row.id) ?? NO_MESSAGES) }));
      return onePage(data);
    },
  });

  routes.get(`${EVENTS}/:id/clashes`, {
    access: { permission: 'update_event', organizer: true },
    name: 'listClashes',
    summary: 'Find what clashes with an event',
    description:
      'Finds the events that take place at the same time in the same room, or for the same class, grade or organizer, and ' +
      'school holidays. Drafts of other events don’t count. The dry run of every change has the same for the event as it would be.',
    responses: { 200: refTo(SHOWN_CLASHES, 'The clashes') },
    result: async (deps, caller, { event }) => findClashes(deps, caller, [event].filter(canClash)),
  });
}

function factView(
  { id: factId, type, occurred_at, actor, data }: Fact,
  { named, seesAll, joins, locale }: { named: boolean; seesAll: boolean; joins: boolean; locale: Locale | null },
  people: ReadonlyMap<string, Contact>,
): Static<typeof FACT> {
  const hidden =
    !named && (type.startsWith('registration.') || type.startsWith('message.') || type.startsWith('acknowledgement.'));
  const fields = Object.entries(data).filter(
    // The other dates of a series have timelines of their own.
    ([name]) => name !== 'also' && (seesAll || SHOWN_FIELDS[type].all?.includes(name)),
  );
  const shown: { previous_place?: Place; reason?: string | null } = Object.fromEntries(fields);
  if (shown.reason) shown.reason = reasonIn(locale, shown.reason);
  if (shown.previous_place && !joins) shown.previous_place = withoutLink(shown.previous_place);
  const who = actor === 'system' ? actor : { ...actor, name: people.get(actor.user_id)?.name ?? null };
  return { id: factId, type, occurred_at, actor: hidden ? null : who, data: hidden ? {} : shown };
}
