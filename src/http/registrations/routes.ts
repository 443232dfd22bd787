import type { ErrorCode } from '../../core/errors.ts';
import type { RecordReply } from '../../core/idempotency-record.ts';
import { LIMITS } from '../../events/limits.ts';
import type { Caller } from '../../people/caller.ts';
import { cancelRegistration, declineRegistration } from '../../registrations/cancel.ts';
import { confirmRegistration } from '../../registrations/confirm.ts';
import { checkIn, checkInByCode, readDoorCode, undoCheckIn } from '../../registrations/door/door.ts';
import { editRegistration } from '../../registrations/edit.ts';
import { EDIT_REGISTRATION, REGISTER, REGISTER_FAMILY } from '../../registrations/input.ts';
import { findRegistration } from '../../registrations/list.ts';
import { type FamilyResult, register, registerFamily } from '../../registrations/register.ts';
import type { Ids, Registered } from '../../registrations/registration.ts';
import type { RouteDeps } from '../deps.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import type { ApiResponse } from '../route-definition.ts';
import { refTo } from '../schemas/fields.ts';
import { CANCEL_REGISTRATION, CHECK_IN, DOOR_CODE, FAMILY, SHOWN_REGISTRATION } from './registration-schema.ts';

export const REGISTRATIONS = `${EVENTS}/:id/registrations`;
const NOT_ADMITTED: ErrorCode[] = [
  'event_not_published',
  'registration_not_available',
  'registration_closed',
  'event_full',
  'already_registered',
  'slot_taken',
  'slots_overlap',
  'busy',
];
export const OWN = 'the use case checks: the owner, a parent, or events.registrations.manage';

/** Routes that create, read and change one registration, and for checking in by a code that is shown at the door. */
export function registrationRoutes(routes: Routes): void {
  routes.post(REGISTRATIONS, {
    access: { permission: 'view_events' },
    name: 'createRegistration',
    summary: 'Register for an event',
    body: REGISTER,
    responses: { 201: refTo(SHOWN_REGISTRATION, 'The registration', ['Location']) },
    refusals: NOT_ADMITTED,
    change: async (deps, caller, { event, body }, recordReply) => register(deps, caller, event, body, recordReply),
    respond: created,
  });

  routes.post(`${REGISTRATIONS}/family`, {
    access: { permission: 'view_events' },
    name: 'createFamilyRegistrations',
    summary: `Register up to ${LIMITS.family} people for an event in one step`,
    description:
      'The response is 201 if anyone was registered, with the result for each person; otherwise it is the first refusal. A ' +
      'guardian gets one message that names all children with the same result.',
    body: REGISTER_FAMILY,
    responses: { 201: FAMILY },
    refusals: NOT_ADMITTED,
    change: async (deps, caller, { event, body }, recordReply) =>
      registerFamily(deps, caller, event, body, recordReply),
    respond: (data: FamilyResult[]) => ({ status: 201, body: { data } }),
  });

  routes.get(`${REGISTRATIONS}/:rid`, {
    access: { anyToken: OWN },
    name: 'getRegistration',
    summary: 'Read a registration',
    responses: { 200: refTo(SHOWN_REGISTRATION, 'The registration') },
    result: async (deps, caller, { event, params }) => findRegistration(deps, caller, event, params.rid),
  });

  routes.patch(`${REGISTRATIONS}/:rid`, {
    access: { anyToken: OWN },
    name: 'editRegistration',
    summary: 'Change the kind, the notes, the addresses or the answers of a registration',
    body: EDIT_REGISTRATION,
    responses: { 200: refTo(SHOWN_REGISTRATION, 'The registration after the change') },
    refusals: ['forbidden', 'registration_not_active', 'registration_closed'],
    result: async (deps, caller, { event, params, body }) => editRegistration(deps, caller, event, params.rid, body),
  });

  type Change = (
    deps: RouteDeps,
    caller: Caller,
    ids: Ids & { reason?: string | null },
    recordReply?: RecordReply<Registered>,
  ) => Promise<Registered>;
  const change = (
    action: string,
    run: Change,
    words: { name: string; summary: string; refusals?: ErrorCode[]; reason?: true },
  ) =>
    routes.post(`${REGISTRATIONS}/:rid/${action}`, {
      access: { anyToken: OWN },
      name: words.name,
      summary: words.summary,
      body: words.reason && CANCEL_REGISTRATION,
      responses: { 200: refTo(SHOWN_REGISTRATION, 'The registration after the change') },
      refusals: ['forbidden', 'registration_not_active', ...(words.refusals ?? [])],
      change: async (deps, caller, { event, params, body }, recordReply) => {
        const reason = words.reason ? body.reason : null;
        return run(deps, caller, { event_id: event.id, id: params.rid, reason }, recordReply);
      },
      respond: okResponse,
    });

  change('cancel', cancelRegistration, {
    name: 'cancelRegistration',
    summary: 'Cancel a registration; its seat goes to the first person on the waitlist',
    refusals: ['registration_closed'],
    reason: true,
  });
  change('decline', declineRegistration, {
    name: 'declineRegistration',
    summary: 'Decline a registration; its seat goes to the first person on the waitlist',
    refusals: ['registration_closed'],
    reason: true,
  });
  change('confirm', confirmRegistration, {
    name: 'confirmRegistration',
    summary: 'Approve a pending registration; needs events.registrations.manage',
    refusals: ['event_full', 'event_not_published'],
  });
  change('check_in', checkIn, {
    name: 'checkInRegistration',
    summary: 'Check in a confirmed person; needs events.registrations.manage',
    refusals: ['event_not_published', 'check_in_not_open'],
  });
  change('undo_check_in', undoCheckIn, {
    name: 'undoCheckIn',
    summary: 'Undo a check-in; needs events.registrations.manage',
  });

  routes.get(`${EVENTS}/:id/check_in`, {
    access: { permission: 'manage_registrations' },
    name: 'getCheckInCode',
    summary: 'Read the code to show at the door',
    responses: { 200: DOOR_CODE },
    refusals: ['event_not_published', 'check_in_not_open', 'check_in_over'],
    result: async (deps, _, { event }) => {
      const found = readDoorCode(deps, event);
      return { ...found, url: `${deps.publicUrl}/events/${event.id}?check_in=${found.code}` };
    },
  });

  routes.post(`${EVENTS}/:id/check_in`, {
    access: { anyToken: 'the use case checks: the code, and the registration of the caller or a child' },
    name: 'checkInByCode',
    summary: 'Check in yourself or your child with the code at the door',
    description: 'A person has ten tries a minute.',
    body: CHECK_IN,
    responses: { 200: refTo(SHOWN_REGISTRATION, 'The registration, checked in') },
    refusals: [
      'forbidden',
      'event_not_published',
      'check_in_not_open',
      'check_in_over',
      'wrong_code',
      'not_registered',
      'registration_not_active',
      'busy',
    ],
    takesCode: true,
    change: async (deps, caller, { event, body }, recordReply) =>
      checkInByCode(deps, caller, { event_id: event.id, ...body }, recordReply),
    respond: okResponse,
  });
}

const okResponse = (body: Registered): ApiResponse => ({ status: 200, body });

const created = (body: Registered): ApiResponse => ({
  status: 201,
  body,
  headers: { location: `${EVENTS}/${body.event_id}/registrations/${body.id}` },
});
