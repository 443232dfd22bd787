import type { FastifyInstance } from 'fastify';
import { scopeOf } from '../../people/caller.ts';
import { mustBeAllowed } from '../../people/permissions.ts';
import { putSchool } from '../../people/put-school.ts';
import type { School } from '../../people/school.ts';
import type { RouteDeps } from '../deps.ts';
import { OPERATIONS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { refTo } from '../schemas/fields.ts';
import { PUT_SCHOOL, SCHOOL } from './people-schema.ts';

/** Routes for the settings of the caller's school. */
export function schoolRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const url = `${OPERATIONS}/school`;
  const access = { permission: 'manage_settings' } as const;

  addRoute(app, deps, {
    method: 'GET',
    url,
    access,
    name: 'getSchool',
    tag: 'people',
    summary: 'Read the settings of the school',
    answers: { 200: refTo(SCHOOL, 'The settings') },
    handle: async ({ schools }, caller) => {
      mustBeAllowed(caller, 'manage_settings');
      return { status: 200, body: schoolView(await schools.find(scopeOf(caller))) };
    },
  });

  addRoute(app, deps, {
    method: 'PUT',
    url,
    access,
    name: 'putSchool',
    tag: 'people',
    summary: 'Replace the settings of the school',
    body: PUT_SCHOOL,
    answers: { 200: refTo(SCHOOL, 'The settings') },
    handle: async (joined, caller, { body }) => {
      const { sender_name = null, channels = {}, quiet_hours = null, term_calendar = [], ...fields } = body;
      const described = { ...fields, sender_name, channels, quiet_hours, term_calendar };
      return { status: 200, body: schoolView(await putSchool(joined, caller, described)) };
    },
  });
}

/** Adds the fields that schools saved by older versions lack. */
const schoolView = (school: School) => ({
  ...school,
  quiet_hours: school.quiet_hours ?? null,
  term_calendar: school.term_calendar ?? [],
});
