import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { pageOf } from '../../kernel/paging.ts';
import { cancelRegistration, findRegistration } from '../../registrations/cancel.ts';
import { register } from '../../registrations/register.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import { listRegistrations } from '../../registrations/roster.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { CANCEL_REGISTRATION, LISTED_REGISTRATION, REGISTER, REGISTRATION } from '../schemas/registration.ts';
import { EVENT_ID } from './events.ts';

const REGISTRATIONS = `${EVENTS}/:id/registrations`;
const REGISTRATION_ID = Type.Object({ id: Type.String(), rid: Type.String() });
const OWN = 'its owner, a parent of theirs, or events.registrations.manage: asked by the verb';

/** Sign up, look up, leave (api.md). */
export function registrationRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'POST',
    url: REGISTRATIONS,
    access: { permission: 'view_events' },
    name: 'register',
    tag: 'registrations',
    summary: 'Register: a seat, or a place on the waitlist',
    params: EVENT_ID,
    body: REGISTER,
    answers: { 201: refTo(REGISTRATION, 'The registration', ['Location']) },
    refusals: [
      'event_not_published',
      'registration_not_available',
      'registration_closed',
      'event_full',
      'already_registered',
      'busy',
    ],
    handle: async (joined, caller, { params, body }) => {
      const { registration, waitlist_position } = await register(joined, caller, params.id, body);
      const location = `${EVENTS}/${registration.event_id}/registrations/${registration.id}`;
      return { status: 201, body: { ...registration, waitlist_position }, headers: { location } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: REGISTRATIONS,
    access: { permission: 'manage_registrations' },
    name: 'listRegistrations',
    tag: 'registrations',
    summary: 'The registrations of an event, oldest first',
    params: EVENT_ID,
    query: strict({
      ...PAGING,
      status: optional(oneOf(REGISTRATION_STATUSES)),
      kind: optional(oneOf(REGISTRATION_KINDS)),
    }),
    answers: { 200: pageOfSchema(refTo(LISTED_REGISTRATION)) },
    handle: async (joined, caller, { params, query }) => {
      const { status, kind } = query;
      const filters = ['registrations', params.id, status, kind];
      const limit = limitOf(query);
      const after = positionOf(query, filters)?.id;
      const rows = await listRegistrations(joined, caller, params.id, {
        ...(status === undefined ? {} : { status }),
        ...(kind === undefined ? {} : { kind }),
        ...(after === undefined ? {} : { after }),
        limit,
      });
      return { status: 200, body: pageOf(rows, limit, (row) => ({ at: '', id: row.id }), filters) };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${REGISTRATIONS}/:rid`,
    access: { anyToken: OWN },
    name: 'getRegistration',
    tag: 'registrations',
    summary: 'Read one registration, with its place on the waitlist',
    params: REGISTRATION_ID,
    answers: { 200: refTo(REGISTRATION, 'The registration') },
    refusals: ['not_found'],
    handle: async (joined, caller, { params }) => {
      const found = await findRegistration(joined, caller, { event_id: params.id, id: params.rid });
      return { status: 200, body: { ...found.registration, waitlist_position: found.waitlist_position } };
    },
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${REGISTRATIONS}/:rid/cancel`,
    access: { anyToken: OWN },
    name: 'cancelRegistration',
    tag: 'registrations',
    summary: 'Leave; a seat that was held goes to the first of the waitlist',
    params: REGISTRATION_ID,
    body: CANCEL_REGISTRATION,
    answers: { 200: refTo(REGISTRATION, 'The registration, cancelled') },
    refusals: ['not_found', 'forbidden', 'registration_not_active'],
    handle: async (joined, caller, { params, body }) => {
      const { id: event_id, rid: id } = params;
      const registration = await cancelRegistration(joined, caller, { event_id, id, reason: body.reason });
      return { status: 200, body: { ...registration, waitlist_position: null } };
    },
  });
}
