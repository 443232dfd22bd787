import type { Static } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import { availableSpots, type SchoolEvent } from '../../events/event.ts';
import { maySeeMeetingLink, withoutLink } from '../../events/find-confirmed.ts';
import { allowedActions, refusedActions } from '../../events/rules/lifecycle.ts';
import { type Caller, may } from '../../people/caller.ts';
import { ADMITTING, admit } from '../../registrations/seats/admission.ts';
import { etagOf } from '../entity-tag.ts';
import { EVENTS } from '../paths.ts';
import type { ApiResponse } from '../route-definition.ts';
import { EVENT } from './event-schema.ts';

type EventView = Static<typeof EVENT>;
type ViewField = keyof EventView;
type ViewDeps = { publicUrl: string; clock: Clock };

type Reader = {
  caller: Caller;
  publicUrl: string;
  now: Date;
  confirmed: ReadonlySet<string>;
  editsAll: boolean;
};

type Derived = { needs: readonly (keyof SchoolEvent)[]; of(event: SchoolEvent, reader: Reader): unknown };

/** A property made of these stored fields only. */
const from = <F extends keyof SchoolEvent>(
  needs: readonly F[],
  of: (event: Pick<SchoolEvent, F>, reader: Reader) => unknown,
): Derived => ({ needs, of });

/** The properties that differ from the stored ones, each with the stored fields that it needs. */
const DERIVED: { readonly [Name in ViewField]?: Derived } = {
  // Without the description a page of events has the translated titles only.
  translations: from(['translations', 'description'], ({ translations }) => translations),
  external_id: from(['origin'], ({ origin }) => origin?.external_id ?? null),
  location: from(
    ['id', 'location', 'registration_type', 'organizer_id'],
    (event, { caller, confirmed }) =>
      (maySeeMeetingLink(caller, event, confirmed) ? event : withoutLink(event)).location,
  ),
  // Names people, so only those who can edit the event see it.
  restricted_to: from(['restricted_to', 'organizer_id'], ({ organizer_id, restricted_to }, { caller, editsAll }) =>
    editsAll || organizer_id === caller.user_id ? restricted_to : null,
  ),
  waitlist_count: from(['waitlisted'], ({ waitlisted }) => waitlisted),
  being_revised: from(
    ['status', 'current_attendees', 'waitlisted'],
    ({ status, current_attendees, waitlisted }) =>
      (status === 'draft' || status === 'scheduled') && current_attendees + waitlisted > 0,
  ),
  available_spots: from(['max_attendees', 'current_attendees'], availableSpots),
  allowed_actions: from(['organizer_id', ...ADMITTING], (event, { caller, now }) => [
    ...allowedActions(event, caller),
    ...('status' in admit(event, now) && !caller.reads_only ? ['register'] : []),
  ]),
  refused_actions: from(['organizer_id', ...ADMITTING], (event, reader) => refusals(event, reader, 'detail')),
  refusal_codes: from(['organizer_id', ...ADMITTING], (event, reader) => refusals(event, reader, 'code')),
  share_url: from(['id', 'school_id', 'status', 'visibility'], (event, { publicUrl }) =>
    event.status === 'published' ? shareUrl(event, publicUrl) : null,
  ),
};

/** The code or the reason of each action that is not possible now. */
function refusals(event: Parameters<typeof admit>[0], { caller, now }: Reader, part: 'code' | 'detail') {
  const admission = admit(event, now);
  const refused = { ...refusedActions(event, caller), ...('status' in admission ? {} : { register: admission }) };
  return Object.fromEntries(Object.entries(refused).map(([action, reason]) => [action, reason[part]]));
}

const ALL = Object.keys(EVENT.properties) as ViewField[];

/** The stored fields that these properties are made of. */
export const storedFieldsOf = (names: readonly ViewField[]): (keyof SchoolEvent)[] => [
  ...new Set(names.flatMap((name) => DERIVED[name]?.needs ?? [name as keyof SchoolEvent])),
];

/** The event as this caller may see it. */
export const eventView = (
  event: SchoolEvent,
  caller: Caller,
  deps: ViewDeps,
  confirmed?: ReadonlySet<string>,
): EventView => eventViewFor(caller, deps, confirmed)(event) as EventView;

/**
 * The view of many events.
 * @param confirmed ids of the events for which the caller's registration is confirmed, from `findConfirmed`
 * @param names the properties to show; by default all. An event needs at least their `storedFieldsOf`
 */
export function eventViewFor(
  caller: Caller,
  { publicUrl, clock }: ViewDeps,
  confirmed: ReadonlySet<string> = new Set(),
  names: readonly ViewField[] = ALL,
): (event: Partial<SchoolEvent>) => Partial<EventView> {
  const editsAll = may(caller, 'update_event');
  const now = clock.now();
  const reader = { caller, publicUrl, now, confirmed, editsAll };
  const columns = names.map((name) => [name, DERIVED[name]?.of] as const);
  return (event) => {
    const view: Record<string, unknown> = {};
    for (const [name, of] of columns)
      view[name] = of ? of(event as SchoolEvent, reader) : event[name as keyof SchoolEvent];
    return view;
  };
}

type Shared = Pick<SchoolEvent, 'id' | 'school_id' | 'visibility'>;

/** The address to share: a public event has a page that needs no sign-in. */
export const shareUrl = ({ id, school_id, visibility }: Shared, publicUrl: string): string =>
  visibility === 'public' ? `${publicEventPage(publicUrl, school_id)}${id}` : `${publicUrl}/events/${id}`;

/** The address of the public calendar of a school. */
export const publicPage = (publicUrl: string, school_id: string): string =>
  `${publicUrl}/public/${encodeURIComponent(school_id)}`;

/** The address of an event in that calendar, without the id at its end. */
export const publicEventPage = (publicUrl: string, school_id: string): string =>
  `${publicPage(publicUrl, school_id)}?event=`;

/** The response of every operation on one event: the whole event with its ETag. */
export const eventResponse = (deps: ViewDeps, caller: Caller, event: SchoolEvent, confirmed?: ReadonlySet<string>) => ({
  status: 200,
  body: eventView(event, caller, deps, confirmed),
  headers: { etag: etagOf(event, deps.clock.now()) },
});

/** The response of an operation that creates an event. */
export function createdResponse(deps: ViewDeps, caller: Caller, event: SchoolEvent): ApiResponse {
  const { body, headers } = eventResponse(deps, caller, event);
  return { status: 201, body, headers: { ...headers, location: `${EVENTS}/${event.id}` } };
}
