import type { FastifyInstance } from 'fastify';
import { planMove } from '../../events/change-status.ts';
import { planDuplicate } from '../../events/duplicate.ts';
import { planEdit } from '../../events/edit.ts';
import { ACTIONS } from '../../events/rules/lifecycle.ts';
import type { EventPatch } from '../../events/rules/merge.ts';
import type { SeriesScope } from '../../events/rules/recurrence.ts';
import { faultsBeside } from '../../events/rules-beside.ts';
import type { RouteDeps } from '../deps.ts';
import { ifMatchOf } from '../entity-tag.ts';
import { collectFaults } from '../openapi/all-faults.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nothing, refTo, strict } from '../schemas/fields.ts';
import { planAnswer } from './dry-run-view.ts';
import { EVENT_PATCH } from './event-body-schema.ts';
import { EVENT } from './event-schema.ts';
import { eventAnswer } from './event-view.ts';
import { EVENT_ID } from './routes.ts';
import { DRY_RUN, DUPLICATE, NOTIFY, SCOPE } from './transition-schema.ts';

/** Edit, duplicate and delete (decisions.md, "Lifecycle"). */
export function editRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'PATCH',
    url: `${EVENTS}/:id`,
    access: { permission: ACTIONS.edit.permission },
    name: 'editEvent',
    tag: 'events',
    summary: 'Change some fields',
    description:
      `Possible in ${ACTIONS.edit.from.join(', ')}. A merge patch (RFC 7396): what is not named stays, null clears, ` +
      'objects are merged into. Another time or place of a published event is told to everyone registered two minutes ' +
      'after the last such edit, once; nothing else is told. The limits of size are those of a new event; one that is larger ' +
      'already may be edited as long as it does not grow.',
    params: EVENT_ID,
    query: strict({ ...SCOPE, ...DRY_RUN, ...NOTIFY }),
    body: EVENT_PATCH,
    accepts: ['application/json', 'application/merge-patch+json'],
    ifMatch: true,
    hasDryRun: true,
    answers: { 200: refTo(EVENT, 'The event after the edit', ['ETag']) },
    refusals: ['event_not_editable', 'capacity_below_occupied', 'stale'],
    rules: async (joined, caller, { params: { id } }, { usable, faulty }) =>
      faultsBeside(await collectFaults(planEdit(joined, caller, { id, patch: patchOf(usable) })), faulty),
    handle: async (joined, caller, { params: { id }, query, body, headers }) => {
      const { scope, dry_run, notify } = query as { scope?: SeriesScope; dry_run?: boolean; notify?: boolean };
      const asked = { id, scope, notify: notify ?? null, patch: patchOf(body), ifMatch: ifMatchOf(headers) };
      return planAnswer(
        joined,
        caller,
        (tx) => planEdit(joined, caller, asked, tx),
        { dry_run },
        (event) => eventAnswer(joined, caller, event),
      );
    },
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${EVENTS}/:id/duplicate`,
    access: { permission: ACTIONS.duplicate.permission },
    name: 'duplicateEvent',
    tag: 'events',
    summary: 'A fresh draft with what this event says',
    description:
      'Possible in any state. Registrations, stamps and the featured mark are not copied. The copy is within the limits of a new event.',
    params: EVENT_ID,
    query: strict(DRY_RUN),
    body: DUPLICATE,
    ifMatch: true,
    hasDryRun: true,
    answers: { 201: refTo(EVENT, 'The copy', ['ETag', 'Location']) },
    refusals: ['stale'],
    handle: async (joined, caller, { params: { id }, query, body: input, headers }) =>
      planAnswer(
        joined,
        caller,
        (tx) => planDuplicate(joined, caller, { id, input, ifMatch: ifMatchOf(headers) }, tx),
        query,
        (copy) => eventAnswer(joined, caller, copy, { status: 201, headers: { location: `${EVENTS}/${copy.id}` } }),
      ),
  });

  addRoute(app, deps, {
    method: 'DELETE',
    url: `${EVENTS}/:id`,
    access: { permission: ACTIONS.delete.permission },
    name: 'deleteEvent',
    tag: 'events',
    summary: 'Delete',
    description:
      'A draft; any other also needs events.delete.any and must hold no seat. It is gone from everywhere, what happened ' +
      'stays recorded.',
    params: EVENT_ID,
    query: strict({ ...SCOPE, ...DRY_RUN }),
    ifMatch: true,
    hasDryRun: true,
    answers: { 204: nothing('It is gone') },
    refusals: ['invalid_transition', 'stale'],
    handle: async (joined, caller, { params: { id }, query, headers }) => {
      const { scope } = query as { scope?: SeriesScope };
      const asked = { id, scope, move: { action: 'delete' } as const, ifMatch: ifMatchOf(headers) };
      return planAnswer(
        joined,
        caller,
        (tx) => planMove(joined, caller, asked, tx),
        query,
        () => ({ status: 204 }),
      );
    },
  });
}

/** The body as the slices take it: instants are dates there. */
function patchOf(body: object): EventPatch {
  const { registration_deadline: deadline, ...patch } = body as EventPatch;
  if (deadline === undefined) return patch;
  return { ...patch, registration_deadline: deadline === null ? null : new Date(String(deadline)) };
}
