import { Type } from 'typebox';
import { CHOSEN_SLOTS, SLOT } from '../../registrations/input.ts';
import { changeSlots, listSlots } from '../../registrations/slots.ts';
import { onePage } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { described, listOf, nullable, pageOfSchema, refTo, stamp, strict, stringOrNull } from '../schemas/fields.ts';
import { SHOWN_REGISTRATION } from './registration-schema.ts';
import { OWN, REGISTRATIONS } from './routes.ts';

const CHANGE_SLOTS = strict({ slots: CHOSEN_SLOTS }, { examples: [{ slots: [{ host_user_id: 'jana', minute: 20 }] }] });

const SLOTS = pageOfSchema(
  Type.Object({
    ...SLOT,
    starts_at: { ...stamp, description: 'When the meeting begins.' },
    ends_at: { ...stamp, description: 'When the meeting ends.' },
    is_free: Type.Boolean({ description: 'True if no family has chosen it.' }),
    taken_by: nullable(
      described('Who comes. Only the teacher, the organizer and staff who manage registrations see it.', {
        registration_id: Type.String(),
        user_id: Type.String(),
        name: nullable(Type.String()),
        class_ids: Type.Array(Type.String()),
        registered_by: stringOrNull('The name of the parent who chose it.'),
        notes: nullable(Type.String()),
      }),
    ),
  }),
  {
    length_minutes: Type.Integer({ description: 'How long one meeting takes.' }),
    hosts: listOf('The teachers.', { user_id: Type.String(), name: Type.String() }),
  },
);

/** Routes for the meetings that families choose. */
export function slotRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/:id/slots`, {
    access: { permission: 'view_events' },
    name: 'listSlots',
    summary: 'List the meetings that families choose, with those that are free',
    responses: { 200: SLOTS },
    result: async (deps, caller, { event }) => {
      const { length_minutes = 0, hosts = [] } = event.slots ?? {};
      return { length_minutes, hosts, ...onePage(await listSlots(deps, caller, event)) };
    },
  });

  routes.put(`${REGISTRATIONS}/:rid/slots`, {
    access: { anyToken: OWN },
    name: 'changeSlots',
    summary: 'Choose other meetings; the ones before become free',
    description: 'A confirmed registration gets a new confirmation.',
    body: CHANGE_SLOTS,
    responses: { 200: refTo(SHOWN_REGISTRATION, 'The registration after the change') },
    refusals: [
      'not_found',
      'forbidden',
      'registration_not_active',
      'event_not_published',
      'registration_closed',
      'slot_taken',
      'slots_overlap',
      'busy',
    ],
    result: async (deps, caller, { event, params, body }) =>
      changeSlots(deps, caller, { event_id: event.id, id: params.rid, slots: body.slots }),
  });
}
