import { Type } from 'typebox';
import { LIMITS } from '../../events/limits.ts';
import { createFromTemplate, renameTemplate, saveTemplate } from '../../events/templates.ts';
import { removeRecord } from '../../people/named-records.ts';
import { onePage } from '../paging-query.ts';
import { EVENTS, OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { date, described, line, nothing, optional, pageOfSchema, refTo, stamp, strict } from '../schemas/fields.ts';
import { EVENT } from './event-schema.ts';
import { createdResponse } from './event-view.ts';

const TEMPLATES = `${OPERATIONS}/event-templates`;
const access = { permission: 'create_event' } as const;

/** Routes for events that a school keeps as templates. */
export function templateRoutes(routes: Routes): void {
  routes.post(`${EVENTS}/:id/template`, {
    access,
    name: 'saveEventTemplate',
    summary: 'Save an event as a template',
    description:
      'Keeps the fields that a duplicate copies. Later changes of the event do not change the template. Everyone who may ' +
      `create events of the school sees it. A school has at most ${LIMITS.templates} templates.`,
    body: NAME,
    responses: { 201: TEMPLATE },
    result: async (deps, caller, { event, body }) => saveTemplate(deps, caller, event, body.name),
  });

  routes.get(TEMPLATES, {
    access,
    name: 'listEventTemplates',
    summary: 'List the templates of events, by name',
    responses: { 200: pageOfSchema(TEMPLATE) },
    result: async ({ eventTemplates }, caller) => onePage(await eventTemplates.list(caller)),
  });

  routes.patch(`${TEMPLATES}/:template_id`, {
    access,
    name: 'renameEventTemplate',
    summary: 'Rename a template of events',
    body: NAME,
    responses: { 200: TEMPLATE },
    result: async (deps, caller, { params, body }) => renameTemplate(deps, caller, params.template_id, body.name),
  });

  routes.delete(`${TEMPLATES}/:template_id`, {
    access,
    name: 'deleteEventTemplate',
    summary: 'Delete a template of events',
    description: 'Events that were created from it stay.',
    responses: { 204: nothing('The template is deleted') },
    result: async ({ eventTemplates }, caller, { params }) => removeRecord(eventTemplates, caller, params.template_id),
  });

  routes.post(`${TEMPLATES}/:template_id/events`, {
    access,
    name: 'createEventFromTemplate',
    summary: 'Create an event from a template, as a draft',
    description:
      'The end, the deadline and the end of the series move with the start. No one is notified. The size limits of a new event apply.',
    body: strict(
      {
        start_date: date,
        title: optional(line(LIMITS.title, { description: 'The title; by default that of the template.' })),
      },
      { examples: [{ start_date: '2026-10-16' }] },
    ),
    responses: { 201: refTo(EVENT, 'The draft', ['ETag', 'Location']) },
    handle: async (deps, caller, { params, body }) =>
      createdResponse(deps, caller, await createFromTemplate(deps, caller, params.template_id, body)),
  });
}

const NAME = strict(
  { name: line(LIMITS.title, { description: 'The name of the template.' }) },
  { examples: [{ name: 'Class meeting' }] },
);

const TEMPLATE = described('The template', {
  id: Type.String(),
  name: Type.String({ description: 'The name of the template.' }),
  title: EVENT.properties.title,
  event_type: EVENT.properties.event_type,
  updated_at: stamp,
});
