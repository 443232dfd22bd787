import { createEvent } from '../../events/create.ts';
import { findConfirmed } from '../../events/find-confirmed.ts';
import { LIMITS } from '../../events/limits.ts';
import { planDuplicate, planEdit, planMove } from '../../events/plan-changes.ts';
import { reasonIn } from '../../events/reshape-series.ts';
import { independentDraftFaults, independentFaults } from '../../events/rules/independent-faults.ts';
import { ACTIONS } from '../../events/rules/lifecycle.ts';
import type { EventPatch } from '../../events/rules/merge.ts';
import { NOTIFY } from '../../events/rules/transitions.ts';
import { etagOf, ifMatchOf, isKnownTag } from '../entity-tag.ts';
import { preferredLanguage } from '../language.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, date, described, line, nothing, optional, refTo, strict } from '../schemas/fields.ts';
import { collectFaults } from '../validator.ts';
import { DRY_RUN, executePlan, HOLD, SCOPE } from './dry-run.ts';
import { EVENT_PATCH, NEW_EVENT } from './event-body-schema.ts';
import { EVENT, OCCURRENCES, UNDO } from './event-schema.ts';
import { createdResponse, eventResponse } from './event-view.ts';

/** Routes that create, read, edit, duplicate and delete events. */
export function eventRoutes(routes: Routes): void {
  routes.post(EVENTS, {
    access: { permission: 'create_event' },
    name: 'createEvent',
    summary: 'Create an event as a draft',
    description:
      'Missing fields get their defaults. No one is notified. A recurring event gets a draft for each further occurrence, ' +
      'with `parent_event_id`, at most 366 in all. The fields of an event may have at most 64 KB as JSON, and all ' +
      'occurrences of a series together at most 4 MB. Above that, the response is 422 and names the largest fields.',
    body: NEW_EVENT,
    responses: { 201: refTo(EVENT, 'The draft', ['ETag', 'Location']) },
    rules: async (deps, caller, _event, { usable, faulty }) =>
      independentDraftFaults(usable, faulty, await deps.schools.find(caller), caller),
    handle: async (deps, caller, { body }) => createdResponse(deps, caller, await createEvent(deps, caller, body)),
  });

  routes.get(`${EVENTS}/:id`, {
    access: { permission: 'view_events' },
    name: 'getEvent',
    summary: 'Read one event',
    ifNoneMatch: true,
    responses: { 200: refTo(EVENT, 'The event', ['ETag']), 304: nothing('The event has not changed') },
    handle: async (deps, caller, { event, headers }) => {
      const etag = etagOf(event, deps.clock.now());
      if (isKnownTag(headers, etag)) return { status: 304, headers: { etag } };
      const { cancellation_reason: reason } = event;
      const shown = { ...event, cancellation_reason: reason && reasonIn(preferredLanguage(headers), reason) };
      return eventResponse(deps, caller, shown, await findConfirmed(deps, caller, [event]));
    },
  });

  routes.patch(`${EVENTS}/:id`, {
    access: { permission: ACTIONS.edit.permission, organizer: true },
    name: 'editEvent',
    summary: 'Edit an event',
    description:
      `Possible in the status ${ACTIONS.edit.from.join(', ')}, with \`events.update\` or for the organizer of a draft. The body is a merge patch (RFC 7396): missing fields stay ` +
      'as they are, null clears a field, objects are merged. If the time or place of a published event changes, everyone ' +
      'registered gets one message, two minutes after the last such edit, at most ten after the first. Other changes send no ' +
      'messages. The size limits of a new event apply; an event that is already larger may not grow. The recurrence rule ' +
      'belongs to the whole series, whatever the scope: a new count, end or pattern adds dates as drafts, deletes surplus ' +
      'drafts and cancels other surplus dates that have not begun.',
    query: strict({ ...SCOPE, ...DRY_RUN, ...NOTIFY, ...REGISTERED_DATES }),
    body: EVENT_PATCH,
    accepts: ['application/json', 'application/merge-patch+json'],
    ifMatch: true,
    hasDryRun: true,
    responses: { 200: refTo(EVENT, 'The event after the edit', ['ETag']) },
    refusals: ['event_not_editable', 'capacity_below_occupied', 'slots_in_use', 'stale'],
    rules: async (deps, caller, { id }, { usable, faulty }) =>
      independentFaults(await collectFaults(planEdit(deps, caller, { id, patch: usable })), faulty),
    handle: async (deps, caller, { event: { id }, query, body, headers }) => {
      const { dry_run, notify = null, ...dates } = query;
      const asked = { ...dates, id, notify, patch: body as EventPatch, ifMatch: ifMatchOf(headers) };
      return executePlan(deps, caller, (tx) => planEdit(deps, caller, asked, tx), { dry_run });
    },
  });

  routes.post(`${EVENTS}/:id/duplicate`, {
    access: { permission: ACTIONS.duplicate.permission },
    name: 'duplicateEvent',
    summary: 'Copy an event as a new draft',
    description:
      'Possible in every state. Registrations, times of changes and the featured mark are not copied. The size limits of a new event apply.',
    query: strict(DRY_RUN),
    body: DUPLICATE,
    ifMatch: true,
    hasDryRun: true,
    responses: { 201: refTo(EVENT, 'The copy', ['ETag', 'Location']) },
    refusals: ['stale'],
    handle: async (deps, caller, { event: { id }, query, body: input, headers }) =>
      executePlan(
        deps,
        caller,
        (tx) => planDuplicate(deps, caller, { id, input, ifMatch: ifMatchOf(headers) }, tx),
        query,
        (copy) => createdResponse(deps, caller, copy),
      ),
  });

  routes.delete(`${EVENTS}/:id`, {
    access: { permission: ACTIONS.delete.permission, organizer: true },
    name: 'deleteEvent',
    summary: 'Delete an event',
    description:
      'Drafts need `events.delete`, or `events.create` if you are the organizer. Other events also need `events.delete.any`, and no seat may be taken. The event ' +
      'disappears everywhere; its history stays recorded.',
    query: strict({ ...SCOPE, ...DRY_RUN, ...HOLD }),
    ifMatch: true,
    hasDryRun: true,
    responses: {
      200: described('The event is deleted; dates of its series stay, or the deletion can be undone', {
        occurrences: optional(OCCURRENCES),
        undo: optional(UNDO),
      }),
      204: nothing('The event is deleted'),
    },
    refusals: ['invalid_transition', 'stale'],
    handle: async (deps, caller, { event: { id }, query, headers }) => {
      const { scope, dry_run, hold_seconds: seconds = 0 } = query;
      const asked = { id, scope, move: { action: 'delete' } as const, ifMatch: ifMatchOf(headers) };
      return executePlan(
        deps,
        caller,
        (tx) => planMove(deps, caller, asked, tx),
        { dry_run, hold: { action: 'delete', seconds } },
        () => ({ status: 204 }),
      );
    },
  });
}

const DUPLICATE = strict(
  {
    title: optional({ ...line(LIMITS.title), description: 'The title of the copy; `Copy of …` by default.' }),
    start_date: optional({
      ...date,
      description: 'The start date of the copy. Its end and deadline move by as many days.',
    }),
  },
  { examples: [{ start_date: '2027-10-15' }] },
);

/** For an edit that gives a series another rule. */
const REGISTERED_DATES = {
  registered_dates: choice(
    ['keep', 'cancel'],
    'What happens to dates with registrations that a new recurrence rule does not have: they stay (`keep`, the ' +
      'default), or are cancelled and everyone registered is notified (`cancel`).',
  ),
};
