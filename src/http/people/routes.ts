import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ROLES } from '../../people/caller.ts';
import { findPeople } from '../../people/find-people.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { id, line, oneOf, optional, pageOfSchema, strict } from '../schemas/fields.ts';

const names = Type.Array(Type.String());
const PERSON = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  roles: Type.Array(oneOf(ROLES)),
  class_ids: names,
  grade_level_ids: names,
  department_ids: names,
});

/** The route that finds people by name, for staff who plan events. */
export function peopleRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${OPERATIONS}/people`,
    access: { permission: 'choose_audience' },
    name: 'findPeople',
    tag: 'people',
    summary: 'Find people of your school by name',
    description:
      'Use it to choose the audience of an event. The answer has names, roles and groups, but no addresses or phone numbers.',
    query: strict({
      q: optional(
        line(100, { description: 'Beginnings of words of the name. All must match. Case and accents don’t matter.' }),
      ),
      user_id: optional(
        Type.Array(id, {
          minItems: 1,
          maxItems: 100,
          description: 'Only this person. Repeat the parameter for several people.',
        }),
      ),
      ...PAGING,
    }),
    answers: { 200: pageOfSchema(PERSON) },
    handle: async (joined, caller, { query }) => {
      const { q, user_id: user_ids } = query;
      const boundTo = ['people', q ?? '', user_ids ?? []];
      const after = positionOf(query, boundTo);
      return {
        status: 200,
        body: await findPeople(joined, caller, { q, user_ids, limit: limitOf(query), after, boundTo }),
      };
    },
  });
}
