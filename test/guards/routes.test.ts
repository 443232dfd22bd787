import Fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/http/app.ts';
import { accessFault, guardAccess } from '../../src/http/auth/access.ts';
import type { HttpDeps } from '../../src/http/deps.ts';
import { PERMISSIONS } from '../../src/people/permissions.ts';

const verifyToken = async (): Promise<never> => {
  throw new Error('no token is asked for here');
};

/** Every route with the permission it requires, written by hand: a new route needs a line here. */
const ROUTES = `
POST   /api/v1/operations/events                                    create_event
GET    /api/v1/operations/events                                    view_events
GET    /api/v1/operations/events/calendar                           view_events
GET    /api/v1/operations/events/statistics                         view_statistics
GET    /api/v1/operations/events/options                            view_events
GET    /api/v1/operations/events/occurrences                        view_events
GET    /api/v1/operations/events/groups                             view_events
GET    /api/v1/operations/people                                    choose_audience
GET    /api/v1/operations/events/:id                                view_events
PATCH  /api/v1/operations/events/:id                                update_event
DELETE /api/v1/operations/events/:id                                delete_event
POST   /api/v1/operations/events/:id/duplicate                      create_event
POST   /api/v1/operations/events/:id/schedule                       publish_event
POST   /api/v1/operations/events/:id/return                         update_event
GET    /api/v1/operations/events/:id/event.ics                      view_events
GET    /api/v1/operations/events/:id/occurrences                      view_events
POST   /api/v1/operations/events/:id/publish                        publish_event
POST   /api/v1/operations/events/:id/unpublish                      publish_event
POST   /api/v1/operations/events/:id/cancel                         cancel_event
POST   /api/v1/operations/events/:id/postpone                       update_event
POST   /api/v1/operations/events/:id/start                          update_event
POST   /api/v1/operations/events/:id/complete                       update_event
GET    /api/v1/operations/events/:id/timeline                       view_events
GET    /api/v1/operations/events/:id/reminders                      update_event
GET    /api/v1/operations/events/:id/deliveries                     manage_registrations
GET    /api/v1/operations/events/:id/deliveries/summary             manage_registrations
POST   /api/v1/operations/events/:id/registrations                  view_events
GET    /api/v1/operations/events/:id/registrations                  manage_registrations
GET    /api/v1/operations/events/:id/registrations/:rid             any token
POST   /api/v1/operations/events/:id/registrations/:rid/cancel      any token
POST   /api/v1/operations/events/:id/registrations/:rid/decline     any token
POST   /api/v1/operations/events/:id/registrations/:rid/confirm     any token
POST   /api/v1/operations/events/:id/registrations/:rid/check_in    any token
GET    /api/v1/operations/events/:id/registrations/counts           manage_registrations
GET    /api/v1/operations/events/:id/registrations/export           manage_registrations
GET    /api/v1/operations/events/:id/registrations/mine             any token
POST   /api/v1/operations/events/:id/registrations/cancel           manage_registrations
POST   /api/v1/operations/events/:id/registrations/messages         manage_registrations
GET    /api/v1/operations/events/:id/waitlist                       manage_registrations
PUT    /api/v1/operations/contacts/:user_id                         manage_contacts
GET    /api/v1/operations/contacts/:user_id                         manage_contacts
DELETE /api/v1/operations/contacts/:user_id                         manage_contacts
POST   /api/v1/operations/contacts/import                           manage_contacts
POST   /api/v1/ingest                                               ingest
GET    /api/v1/operations/school                                    manage_settings
PUT    /api/v1/operations/school                                    manage_settings
GET    /api/v1/operations/queues                                    manage_deliveries
GET    /api/v1/operations/deliveries                                manage_deliveries
POST   /api/v1/operations/deliveries/retry                          manage_deliveries
POST   /api/v1/operations/deliveries/:delivery_id/reveal            manage_deliveries
GET    /api/v1/operations/quarantine                                manage_deliveries
POST   /api/v1/operations/quarantine/:delivery_id/redrive           manage_deliveries
POST   /api/v1/operations/quarantine/:delivery_id/discard           manage_deliveries
GET    /api/v1/operations/suppressions                              manage_deliveries
DELETE /api/v1/operations/suppressions/:suppression_id              manage_deliveries
POST   /api/v1/operations/suppressions/lift                         manage_deliveries
GET    /api/v1/me                                                   any token
GET    /api/v1/me/inbox                                             any token
POST   /api/v1/me/inbox/:id/read                                    any token
POST   /api/v1/me/inbox/read_all                                    any token
POST   /api/v1/me/inbox/:id/archive                                 any token
POST   /api/v1/me/inbox/:id/unarchive                               any token
POST   /api/v1/me/inbox/seen                                        any token
GET    /api/v1/me/inbox/stream                                      any token
GET    /api/v1/me/settings                                          any token
GET    /api/v1/me/preferences                                       any token
PUT    /api/v1/me/preferences                                       any token
POST   /api/v1/me/push_subscriptions                                any token
DELETE /api/v1/me/push_subscriptions                                any token
POST   /api/v1/me/feed                                              view_events
GET    /api/v1/me/feed                                              any token
DELETE /api/v1/me/feed                                              any token
GET    /api/v1/public/schools/:school_id                            open
GET    /api/v1/public/schools/:school_id/events                     open
GET    /api/v1/public/schools/:school_id/events/:id                 open
GET    /api/v1/public/schools/:school_id/calendar.ics               open
GET    /feeds/:token.ics                                            open
GET    /unsubscribe/:token                                          open
POST   /unsubscribe/:token                                          open
GET    /place/:token                                                open
POST   /place/:token                                                open
POST   /callbacks/twilio/:delivery_id                               open
POST   /callbacks/sms                                               open
POST   /callbacks/email                                             open
GET    /problems/:code                                              open
GET    /client-config                                               open
GET    /health/live                                                 open
GET    /health/ready                                                open
`;

async function declared(): Promise<string[]> {
  const app = buildApp({} as HttpDeps, { publicUrl: 'https://bell.test', verifyToken });
  const lines: string[] = [];
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    if (method === 'HEAD' || url.startsWith('/docs')) return;
    lines.push(`${method} ${url} ${config.permission ?? (config.anyToken ? 'any token' : 'open')}`);
  });
  await app.ready();
  await app.close();
  return lines.sort();
}

describe('access to routes', () => {
  let routes: readonly string[] = [];
  beforeAll(async () => {
    routes = await declared();
  }, 120_000);

  it('equals the table for every route', () => {
    const wanted = ROUTES.trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '));
    expect(routes).toEqual(wanted.sort());
  });

  it('names an existing permission', () => {
    expect(routes.length).toBeGreaterThan(50);
    for (const line of routes) {
      const access = line.split(' ').slice(2).join(' ');
      if (access !== 'open' && access !== 'any token') expect(PERMISSIONS).toHaveProperty(access);
    }
  });

  it.each([
    ['nothing', {}],
    ['an empty reason', { open: '' }],
    ['two answers', { permission: 'view_events', open: 'because' } as const],
  ])('fails to start with a route that names %s', async (_name, config) => {
    expect(accessFault({ method: 'GET', url: '/x', config })).toContain('GET /x must name one of');
    const app = Fastify();
    guardAccess(app, { ...({} as HttpDeps), verifyToken, limit: async () => {} });
    app.get('/x', { config }, async () => 'reached');
    await expect(app.ready()).rejects.toThrow('GET /x must name one of');
  });
});
