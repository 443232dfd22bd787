import { createEvent } from '../../events/create.ts';
import { findConfirmed } from '../../events/find-confirmed.ts';
import { independentDraftFaults } from '../../events/rules/independent-faults.ts';
import { etagOf, isUnchanged } from '../entity-tag.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { nothing, refTo } from '../schemas/fields.ts';
import { NEW_EVENT } from './event-body-schema.ts';
import { EVENT } from './event-schema.ts';
import { eventAnswer } from './event-view.ts';

/** Routes that create and read events. */
export function eventRoutes(routes: Routes): void {
  routes.post(EVENTS, {
    access: { permission: 'create_event' },
    name: 'createEvent',
    summary: 'Create an event as a draft',
    description:
      'Missing fields get their defaults. No one is notified. A recurring event gets a draft for each further occurrence, ' +
      'with `parent_event_id`, at most 366 in all. The fields of an event may have at most 64 KB as JSON, and all ' +
      'occurrences of a series together at most 4 MB. Above that, the answer is 422 and names the largest fields.',
    body: NEW_EVENT,
    answers: { 201: refTo(EVENT, 'The draft', ['ETag', 'Location']) },
    rules: async (deps, caller, _event, { usable, faulty }) =>
      independentDraftFaults(usable, faulty, await deps.schools.find(caller), caller),
    handle: async (deps, caller, { body }) => {
      const event = await createEvent(deps, caller, body);
      return eventAnswer(deps, caller, event, { status: 201, headers: { location: `${EVENTS}/${event.id}` } });
    },
  });

  routes.get(`${EVENTS}/:id`, {
    access: { permission: 'view_events' },
    name: 'getEvent',
    summary: 'Read one event',
    ifNoneMatch: true,
    answers: { 200: refTo(EVENT, 'The event', ['ETag']), 304: nothing('The event has not changed') },
    handle: async (deps, caller, { event, headers }) => {
      if (isUnchanged(headers, event)) return { status: 304, headers: { etag: etagOf(event) } };
      return eventAnswer(deps, caller, event, { confirmed: await findConfirmed(deps, caller, [event]) });
    },
  });
}
