import type { FastifyInstance } from 'fastify';
import { scopeOf } from '../../people/caller.ts';
import { putPreferences } from '../../people/put-preferences.ts';
import type { RouteDeps } from '../deps.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { refTo } from '../schemas/fields.ts';
import { PREFERENCES, PREFERENCES_NOW } from './people-schema.ts';

const url = `${ME}/preferences`;
const access = { anyToken: 'everyone may change their own settings' };

/** Routes for the notification settings of the caller. */
export function preferenceRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url,
    access,
    name: 'getPreferences',
    tag: 'me',
    summary: 'Read your notification settings',
    answers: { 200: refTo(PREFERENCES_NOW, 'Your notification settings') },
    handle: async ({ preferences }, caller) => {
      const found = await preferences.find(scopeOf(caller), caller.user_id);
      return { status: 200, body: { locale: null, opted_out: [], ...found, quiet_hours: found?.quiet_hours ?? null } };
    },
  });

  addRoute(app, deps, {
    method: 'PUT',
    url,
    access,
    name: 'putPreferences',
    tag: 'me',
    summary: 'Replace your notification settings',
    body: PREFERENCES,
    answers: { 200: refTo(PREFERENCES_NOW, 'Your notification settings') },
    handle: async (joined, caller, { body }) => {
      const { locale = null, opted_out = [], quiet_hours = null } = body;
      const saved = await putPreferences(joined, caller, { locale, opted_out, quiet_hours });
      return { status: 200, body: { ...saved, quiet_hours } };
    },
  });
}
