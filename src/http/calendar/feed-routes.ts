import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { makeFeed, readFeed } from '../../calendar/read-feed.ts';
import { notFound } from '../../core/errors.ts';
import { withMeetings } from '../../events/find-confirmed.ts';
import { scopeOf } from '../../people/caller.ts';
import { addOpenRoute } from '../auth/open-route.ts';
import type { RouteDeps } from '../deps.ts';
import { EVENT_ID } from '../events/routes.ts';
import { EVENTS, ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nothing, stamp } from '../schemas/fields.ts';
import { ICS_ANSWERS, ICS_TYPE, icsAnswer } from './ics-answer.ts';

const OWN = { anyToken: 'one’s own calendar address' };

/** Calendars as files: one event, and a person's own by a secret address. */
export function feedRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/event.ics`,
    access: { permission: 'view_events' },
    name: 'getEventFile',
    tag: 'events',
    summary: 'One event as a calendar file',
    params: EVENT_ID,
    produces: ICS_TYPE,
    ifNoneMatch: true,
    answers: ICS_ANSWERS,
    handle: async (joined, caller, { event, headers }) => {
      const shown = await withMeetings(joined, caller, [event]);
      const { publicUrl } = joined;
      const head = { name: null, publicUrl, fileName: 'event.ics', cacheControl: 'private, no-cache' };
      const answer = await icsAnswer(headers, () => [shown], head);
      return { ...answer, headers: { ...answer.headers, vary: 'authorization' } };
    },
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${ME}/feed`,
    access: { permission: 'view_events' },
    name: 'makeFeed',
    tag: 'me',
    summary: 'Make the address of my own calendar',
    description: 'It is told this once; the one there was before is dead from now on.',
    returnsSecret: true,
    answers: { 201: Type.Object({ url: Type.String(), created_at: stamp }, { description: 'The address' }) },
    handle: async (joined, caller) => {
      const { token, feed } = await makeFeed(joined, caller);
      return { status: 201, body: { url: `${joined.publicUrl}/feeds/${token}.ics`, created_at: feed.created_at } };
    },
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/feed`,
    access: OWN,
    name: 'getFeed',
    tag: 'me',
    summary: 'Whether I have a calendar address, and since when',
    answers: { 200: Type.Object({ created_at: stamp }, { description: 'There is one' }) },
    refusals: ['not_found'],
    handle: async ({ feeds }, caller) => {
      const feed = await feeds.ofPerson(scopeOf(caller), caller.user_id);
      if (!feed) throw notFound();
      return { status: 200, body: { created_at: feed.created_at } };
    },
  });

  addRoute(app, deps, {
    method: 'DELETE',
    url: `${ME}/feed`,
    access: OWN,
    name: 'revokeFeed',
    tag: 'me',
    summary: 'Revoke the address of my own calendar; again is fine',
    answers: { 204: nothing('Done') },
    handle: async ({ feeds }, caller) => {
      await feeds.remove(scopeOf(caller), caller.user_id);
      return { status: 204 };
    },
  });

  addOpenRoute(app, {
    url: '/feeds/:token.ics',
    open: 'the token of the address says who it is',
    name: 'readFeed',
    tag: 'public',
    summary: 'A person’s own calendar to subscribe to',
    params: Type.Object({ token: Type.String() }),
    produces: ICS_TYPE,
    answers: ICS_ANSWERS,
    handle: async ({ params, headers }) => {
      const { school, events } = await readFeed(deps, params.token);
      const [fileName, cacheControl] = ['calendar.ics', 'private, max-age=300'];
      return icsAnswer(headers, events, { name: school.name, publicUrl: deps.publicUrl, fileName, cacheControl });
    },
  });
}
