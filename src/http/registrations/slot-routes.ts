import { changeSlots, listSlots } from '../../registrations/slots.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { refTo } from '../schemas/fields.ts';
import { REGISTRATION } from './registration-schema.ts';
import { registrationView } from './registration-view.ts';
import { OWN, REGISTRATIONS } from './routes.ts';
import { CHANGE_SLOTS, SLOTS } from './slot-schema.ts';

/** Routes for the meetings that families choose. */
export function slotRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/:id/slots`, {
    access: { permission: 'view_events' },
    name: 'listSlots',
    summary: 'List the meetings that families choose, with those that are free',
    answers: { 200: SLOTS },
    result: async (joined, caller, { event }) => {
      const { length_minutes = 0, hosts = [] } = event.slots ?? {};
      return { length_minutes, hosts, data: await listSlots(joined, caller, event) };
    },
  });

  routes.put(`${REGISTRATIONS}/:rid/slots`, {
    access: { anyToken: OWN },
    name: 'changeSlots',
    summary: 'Choose other meetings; the ones before become free',
    description: 'A confirmed registration gets a new confirmation.',
    body: CHANGE_SLOTS,
    answers: { 200: refTo(REGISTRATION, 'The registration after the change') },
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
    result: async (joined, caller, { event, params, body }) => {
      const changed = await changeSlots(joined, caller, { event_id: event.id, id: params.rid, slots: body.slots });
      return registrationView(changed);
    },
  });
}
