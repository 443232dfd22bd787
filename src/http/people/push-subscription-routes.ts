import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { invalid, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { scopeOf } from '../../people/caller.ts';
import { BROWSERS_PER_PERSON, endpointFault, normalizeEndpoint } from '../../people/push-endpoint.ts';
import type { RouteDeps } from '../deps.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nothing } from '../schemas/fields.ts';
import { SUBSCRIBE, UNSUBSCRIBE } from './people-schema.ts';

const url = `${ME}/push_subscriptions`;
const access = { anyToken: 'everyone may manage their own browsers' };

/** Routes for the push subscriptions of the caller. */
export function pushSubscriptionRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'POST',
    url,
    access,
    name: 'subscribeToPush',
    tag: 'me',
    summary: 'Turn on push notifications in this browser',
    description:
      'The endpoint must be an https address of a known push service. ' +
      `A person can have ${BROWSERS_PER_PERSON} browsers. One more replaces the oldest.`,
    body: SUBSCRIBE,
    answers: { 201: Type.Object({ endpoint: Type.String() }) },
    handle: async ({ pushSubscriptions, pushAllowedHosts, clock }, caller, { body }) => {
      const fault = endpointFault(body.endpoint, pushAllowedHosts);
      if (fault) throw invalid([{ pointer: '/endpoint', message: fault }]);
      const endpoint = normalizeEndpoint(body.endpoint);
      const { user_id } = caller;
      await pushSubscriptions.put({
        ...scopeOf(caller),
        id: newId(),
        user_id,
        endpoint,
        keys: body.keys,
        created_at: clock.now(),
      });
      return { status: 201, body: { endpoint } };
    },
  });

  addRoute(app, deps, {
    method: 'DELETE',
    url,
    access,
    name: 'unsubscribeFromPush',
    tag: 'me',
    summary: 'Turn off push notifications in this browser',
    body: UNSUBSCRIBE,
    answers: { 204: nothing('Done') },
    refusals: ['not_found'],
    handle: async ({ pushSubscriptions }, caller, { body }) => {
      const endpoint = normalizeEndpoint(body.endpoint);
      if (!(await pushSubscriptions.remove(scopeOf(caller), caller.user_id, endpoint))) throw notFound();
      return { status: 204 };
    },
  });
}
