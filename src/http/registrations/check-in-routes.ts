import { checkInByCode, readDoorCode } from '../../registrations/door/door.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { refTo } from '../schemas/fields.ts';
import { CHECK_IN, DOOR_CODE, SHOWN_REGISTRATION } from './registration-schema.ts';
import { answerStored, registrationAnswer } from './registration-view.ts';

/** Routes for checking in by a code that is shown at the door. */
export function checkInRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/:id/check_in`, {
    access: { permission: 'manage_registrations' },
    name: 'getCheckInCode',
    summary: 'Read the code to show at the door',
    answers: { 200: DOOR_CODE },
    refusals: ['event_not_published', 'check_in_not_open', 'check_in_over'],
    result: async (deps, _, { event }) => {
      const found = readDoorCode(deps, event);
      return { ...found, url: `${routes.deps.publicUrl}/events/${event.id}?check_in=${found.code}` };
    },
  });

  routes.post(`${EVENTS}/:id/check_in`, {
    access: { anyToken: 'the use case checks: the code, and the registration of the caller or a child' },
    name: 'checkInByCode',
    summary: 'Check in yourself or your child with the code at the door',
    description: 'A person has ten tries a minute.',
    body: CHECK_IN,
    answers: { 200: refTo(SHOWN_REGISTRATION, 'The registration, checked in') },
    refusals: [
      'event_not_published',
      'check_in_not_open',
      'check_in_over',
      'wrong_code',
      'not_registered',
      'registration_not_active',
      'busy',
    ],
    takesCode: true,
    grouped: true,
    handle: async (deps, caller, { event, body }, keep) =>
      answerStored(
        (record) => checkInByCode(deps, caller, { event_id: event.id, ...body }, record),
        registrationAnswer,
        keep,
      ),
  });
}
