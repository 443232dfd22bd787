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
    events: Type.Integer({ description: 'of the latest thousand I may see' }),
    people: nullable(Type.Integer({ description: 'in the directory; null for whoever does not choose an audience' })),
  }),
);

/** What a filter for events offers, and a form for whom they are for. */
export function groupRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/groups`,
    access: { permission: 'view_events' },
    name: 'getEventGroups',
    tag: 'events',
    summary: 'Classes, grades, departments, tags and categories there are',
    description:
      'Those of the latest events I may see. Whoever may create or edit events is also told the classes, grades and departments ' +
      'of the directory, each with how many people are in it.',
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
        { description: 'In the order of their names' },
      ),
    },
    handle: async (joined, caller) => ({ status: 200, body: await listGroups(joined, caller) }),
  });
}
