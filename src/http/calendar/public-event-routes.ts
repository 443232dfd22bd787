import { Type } from 'typebox';
import { eventsAround } from '../../calendar/feed.ts';
import { daysShown } from '../../calendar/show.ts';
import { hashOf } from '../../core/ids.ts';
import { pick } from '../../core/objects.ts';
import { dayOf } from '../../core/zoned-time.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { EVENT_TYPE, PLACE } from '../../events/event-fields.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../events/event-types.ts';
import { listEvents } from '../../events/list.ts';
import { findPublicEvent, loadVisitor, PUBLIC_FIELDS, publicView } from '../../events/read-public.ts';
import { OPEN_FILTERS } from '../../events/rules/filter.ts';
import { etagOf, isKnownTag } from '../entity-tag.ts';
import { filterOf } from '../events/event-filter-schema.ts';
import { EVENT, EVENT_TYPE_LOOK } from '../events/event-schema.ts';
import { publicEventPage, storedFieldsOf } from '../events/event-view.ts';
import { SORT } from '../events/list-routes.ts';
import { preferredLanguage } from '../language.ts';
import { momentOf, PAGING, parsePage } from '../paging-query.ts';
import { PUBLIC_SCHOOL } from '../paths.ts';
import { SHOWN_SCHOOL, shownSchool } from '../people/school-routes.ts';
import type { Routes } from '../route.ts';
import { date, described, named, nothing, nullable, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { ICS_RESPONSES, ICS_TYPE, icsResponse } from './ics-response.ts';
import { rssOf } from './rss.ts';

const { virtualLink: _, capacity: __, ...PUBLIC_PLACE } = PLACE;

const PUBLIC_PROPERTIES = [...PUBLIC_FIELDS, 'available_spots'] as const;
const STORED = storedFieldsOf([...PUBLIC_PROPERTIES, 'location']);

/** An event as visitors without a token see it: without people and without the meeting link. */
const PUBLIC_EVENT = named('PublicEvent', {
  ...pick(EVENT.properties, PUBLIC_PROPERTIES),
  location: nullable(strict(PUBLIC_PLACE)),
});

/** A school as visitors without a token see it. */
const PUBLIC_SCHOOL_BODY = described('The school', {
  ...SHOWN_SCHOOL,
  event_types: Type.Array(Type.Object({ value: EVENT_TYPE, ...EVENT_TYPE_LOOK }), { description: 'The event types.' }),
});

const OPEN = { open: 'visitors without an account see public events', needsDatabase: true } as const;
const MONTH = optional({
  ...date,
  description:
    'A date: only events that take place, at least in part, in its month, in the weeks (Monday to Sunday) that the month ' +
    'touches, in the school’s time zone.',
});
/** How many events an RSS feed holds. */
const RSS_EVENTS = 50;
const RSS_TYPE = 'application/rss+xml';
const CACHED = { 'cache-control': 'public, max-age=60' };

/** Routes for the public events of a school, which the pages of any website may read. */
export function publicEventRoutes(routes: Routes): void {
  routes.app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => void reply.header('access-control-allow-origin', '*'));
    addPublicRoutes(routes.on(scope));
  });
}

function addPublicRoutes(routes: Routes): void {
  routes.get(PUBLIC_SCHOOL, {
    access: OPEN,
    name: 'getPublicSchool',
    summary: 'Read the name, look, time zone and event types of a school',
    responses: { 200: PUBLIC_SCHOOL_BODY },
    handle: async (deps, _caller, { params }) => {
      const school = await deps.schools.find(await loadVisitor(deps, params.school_id));
      const event_types = EVENT_TYPE_NAMES.map((value) => ({ value, ...EVENT_TYPES[value] }));
      return { status: 200, body: { ...shownSchool(school), event_types }, headers: CACHED };
    },
  });

  routes.get(`${PUBLIC_SCHOOL}/events`, {
    access: OPEN,
    name: 'listPublicEvents',
    summary: 'List the public events of a school, by start',
    query: strict({ ...OPEN_FILTERS, month: MONTH, sort: SORT, ...PAGING }),
    responses: { 200: pageOfSchema(refTo(PUBLIC_EVENT)) },
    handle: async (deps, _caller, { params, query }) => {
      const { limit: _, cursor: __, ...asked } = query;
      const { after, ...wanted } = parsePage(query, ['public', params.school_id, asked]);
      const visitor = await loadVisitor(deps, params.school_id);
      const during = query.month && daysShown('month', query.month, (await deps.schools.find(visitor)).timezone);
      const page = await listEvents(deps, visitor, {
        filter: { ...filterOf(query), ...(during && { during }) },
        descending: query.sort === '-start_date',
        ...wanted,
        after: momentOf(after),
        fields: STORED,
      });
      return {
        status: 200,
        body: { ...page, data: page.data.map((event) => publicView(event as SchoolEvent)) },
        headers: CACHED,
      };
    },
  });

  routes.get(`${PUBLIC_SCHOOL}/events/:id`, {
    access: OPEN,
    name: 'getPublicEvent',
    summary: 'Read a public event',
    responses: { 200: refTo(PUBLIC_EVENT, 'The event', ['ETag']), 304: nothing('The event has not changed') },
    handle: async (deps, _caller, { params, headers }) => {
      const event = await findPublicEvent(deps, params.school_id, params.id);
      const caching = { ...CACHED, etag: etagOf(event, deps.clock.now()) };
      if (isKnownTag(headers, caching.etag)) return { status: 304, headers: caching };
      return { status: 200, body: publicView(event), headers: caching };
    },
  });

  routes.get(`${PUBLIC_SCHOOL}/calendar.ics`, {
    access: OPEN,
    name: 'getPublicCalendarFile',
    summary: 'Subscribe to the public events of a school',
    produces: ICS_TYPE,
    responses: ICS_RESPONSES,
    handle: async (deps, _caller, { params, headers }) => {
      const visitor = await loadVisitor(deps, params.school_id);
      const school = await deps.schools.find(visitor);
      const { events } = eventsAround(deps, visitor, school, preferredLanguage(headers));
      const caching = { 'cache-control': 'public, max-age=300', vary: 'accept-language' };
      const eventPage = publicEventPage(deps.publicUrl, params.school_id);
      return icsResponse(headers, events, { name: school.name, eventPage, ...caching });
    },
  });

  routes.get(`${PUBLIC_SCHOOL}/events.rss`, {
    access: OPEN,
    name: 'getPublicRss',
    summary: 'Follow the next public events of a school as RSS',
    description: `The next ${RSS_EVENTS} events by start, from today on, in the language of the school.`,
    produces: RSS_TYPE,
    responses: { 200: Type.String({ description: 'An RSS 2.0 feed' }), 304: nothing('The feed has not changed') },
    handle: async (deps, _caller, { params, headers }) => {
      const visitor = await loadVisitor(deps, params.school_id);
      const school = await deps.schools.find(visitor);
      const today = dayOf(deps.clock.now(), school.timezone);
      const { data } = await listEvents(deps, visitor, {
        filter: { start_date_from: today },
        descending: false,
        limit: RSS_EVENTS,
        after: null,
        boundTo: null,
        fields: STORED,
      });
      const body = rssOf(school, data as SchoolEvent[], deps.publicUrl);
      const caching = { ...CACHED, etag: `"${hashOf(body)}"` };
      if (isKnownTag(headers, caching.etag)) return { status: 304, headers: caching };
      return { status: 200, body, headers: { ...caching, 'content-type': `${RSS_TYPE}; charset=utf-8` } };
    },
  });
}
