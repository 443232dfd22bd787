import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listGroups } from '../../events/list-groups.ts';
import type { RouteDeps } from '../deps.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nullable, strict } from '../schemas/fields.ts';

const GROUPS = Type.Array(
  Type.Object({
    id: Type.String(),
    events: Type.Integer({ description: 'How many of the latest thousand events you can see are in this group.' }),
    people: nullable(
      Type.Integer({
        description: 'How many people of the directory are in this group. Null if you can’t create or edit events.',
      }),
    ),
  }),
);

/** The groups for filters and for the audience of an event. */
export function groupRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/groups`,
    access: { permission: 'view_events' },
    name: 'getEventGroups',
    tag: 'events',
    summary: 'List classes, grades, departments, tags and categories',
    description:
      'Lists the groups of the latest events you can see. If you can create or edit events, the list also has the classes, ' +
      'grades and departments of the directory with the number of people in each.',
    query: strict({}),
    answers: {
      200: Type.Object(
        {
          class_ids: GROUPS,
          grade_level_ids: GROUPS,
          department_ids: GROUPS,
          tags: GROUPS,
          categories: GROUPS,
        },
        { description: 'The groups, sorted by name' },
      ),
    },
    handle: async (joined, caller) => ({ status: 200, body: await listGroups(joined, caller) }),
  });
}
