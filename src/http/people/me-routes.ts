import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ROLES, scopeOf } from '../../people/caller.ts';
import { LOCALES } from '../../people/contact.ts';
import { may, PERMISSIONS, type Permission } from '../../people/permissions.ts';
import type { RouteDeps } from '../deps.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nullable, oneOf } from '../schemas/fields.ts';

const NAMES = Object.keys(PERMISSIONS) as Permission[];
const text = Type.String();
const PERSON = { user_id: text, name: nullable(Type.String({ description: 'The name in the directory.' })) };

/** The route that describes the caller. */
export function meRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: ME,
    access: { anyToken: 'everyone may read their own data' },
    name: 'getMe',
    tag: 'me',
    summary: 'Read your roles, permissions, children and school',
    answers: {
      200: Type.Object(
        {
          ...PERSON,
          roles: Type.Array(oneOf(ROLES)),
          may: Type.Array(oneOf(NAMES), { description: 'What your permissions allow.' }),
          children: Type.Array(Type.Object(PERSON)),
          school: Type.Object({ id: text, name: text, timezone: text, locale: oneOf(LOCALES) }),
        },
        { description: 'The caller' },
      ),
    },
    handle: async ({ contacts, schools }, caller) => {
      const scope = scopeOf(caller);
      const ids = [caller.user_id, ...caller.children];
      const [known, school] = await Promise.all([contacts.findMany(scope, ids), schools.find(scope)]);
      const named = (user_id: string) => ({
        user_id,
        name: known.find((one) => one.user_id === user_id)?.name ?? null,
      });
      const { school_id: id, name, timezone, locale } = { ...school, ...scope };
      return {
        status: 200,
        body: {
          ...named(caller.user_id),
          roles: [...caller.roles],
          may: NAMES.filter((permission) => may(caller, permission)),
          children: caller.children.map(named),
          school: { id, name, timezone, locale },
        },
      };
    },
  });
}
