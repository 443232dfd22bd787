import { Type } from 'typebox';
import { createFeed, readFeed, titledByState } from '../../calendar/feed.ts';
import { orNotFound } from '../../core/errors.ts';
import { inLanguage } from '../../events/event.ts';
import { removeHiddenLinks } from '../../events/find-confirmed.ts';
import { scopeOf } from '../../people/caller.ts';
import { preferredLanguage } from '../language.ts';
import { EVENTS, ME } from '../paths.ts';
import type { Routes } from '../route.ts';
import { described, nothing, stamp } from '../schemas/fields.ts';
import { ICS_RESPONSES, ICS_TYPE, icsResponse } from './ics-response.ts';

const OWN = { anyToken: 'everyone may manage their own calendar address' };

/** Calendar files: one event, and a person's own calendar at a secret address. */
export function feedRoutes(routes: Routes): void {
  const eventPage = `${routes.deps.publicUrl}/events/`;

  routes.get(`${EVENTS}/:id/event.ics`, {
    access: { permission: 'view_events' },
    name: 'getEventCalendarFile',
    tag: 'events',
    summary: 'Download an event as a calendar file',
    produces: ICS_TYPE,
    ifNoneMatch: true,
    responses: ICS_RESPONSES,
    handle: async (deps, caller, { event, headers }) => {
      const locale = preferredLanguage(headers);
      const [school, allowed] = await Promise.all([
        deps.schools.find(caller),
        removeHiddenLinks(deps, caller, [event]),
      ]);
      const shown = allowed.map((one) => titledByState(inLanguage(one, locale), locale ?? school.locale));
      return icsResponse(headers, () => [shown], {
        name: null,
        eventPage,
        fileName: 'event.ics',
        'cache-control': 'private, no-cache',
        vary: 'authorization, x-view-as, accept-language',
      });
    },
  });

  routes.post(`${ME}/feed`, {
    access: { permission: 'view_events' },
    name: 'createFeed',
    summary: 'Create a new address for your own calendar',
    description: 'The address is shown only once. Your previous address stops working.',
    returnsSecret: true,
    responses: { 201: described('The address', { url: Type.String(), created_at: stamp }) },
    result: async (deps, caller) => {
      const { token, feed } = await createFeed(deps, caller);
      return { url: `${deps.publicUrl}/feeds/${token}.ics`, created_at: feed.created_at };
    },
  });

  routes.get(`${ME}/feed`, {
    access: OWN,
    name: 'getFeed',
    summary: 'Check whether you have a calendar address',
    responses: { 200: described('You have a calendar address', { created_at: stamp }) },
    refusals: ['not_found'],
    result: async ({ feeds }, caller) => {
      const { created_at } = orNotFound(await feeds.findOfPerson(scopeOf(caller), caller.user_id));
      return { created_at };
    },
  });

  routes.delete(`${ME}/feed`, {
    access: OWN,
    name: 'deleteFeed',
    summary: 'Revoke the address of your own calendar',
    responses: { 204: nothing('Done') },
    result: async ({ feeds }, caller) => feeds.remove(scopeOf(caller), caller.user_id),
  });

  routes.get('/feeds/:token.ics', {
    access: { open: 'the token in the address identifies the person', needsDatabase: true },
    name: 'getFeedFile',
    tag: 'public',
    summary: 'Subscribe to a person’s own calendar',
    params: Type.Object({ token: Type.String({ description: 'The secret token of the address.' }) }),
    produces: ICS_TYPE,
    responses: ICS_RESPONSES,
    handle: async (deps, _caller, { params, headers }) => {
      const { school, events } = await readFeed(deps, params.token);
      return icsResponse(headers, events, { name: school.name, eventPage, 'cache-control': 'private, max-age=300' });
    },
  });
}
