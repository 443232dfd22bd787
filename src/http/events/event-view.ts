import type { Static } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import { availableSpots, type SchoolEvent } from '../../events/event.ts';
import { type Action, allowedActionsFor, refusedActions } from '../../events/rules/lifecycle.ts';
import { maySeeMeetingLink, withoutLink } from '../../events/rules/meeting.ts';
import type { Caller } from '../../people/caller.ts';
import { may } from '../../people/permissions.ts';
import { admit } from '../../registrations/admission.ts';
import { etagOf } from '../entity-tag.ts';
import type { Answer } from '../route.ts';
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
  allowed: (event: SchoolEvent) => Action[];
};

type Derived = { needs: readonly (keyof SchoolEvent)[]; of: (event: SchoolEvent, reader: Reader) => unknown };

/** The stored fields that decide whether a registration is taken. */
const ADMITTING = [
  'registration_type',
  'registration_deadline',
  'requires_approval',
  'max_attendees',
  'waitlisted',
  'waitlist_enabled',
] as const satisfies (keyof SchoolEvent)[];

/** The properties that differ from the stored ones: the stored fields that each needs, and its value for a reader. */
const DERIVED: { readonly [Name in ViewField]?: Derived } = {
  // Without the description a page of events has the translated titles only. Events of earlier versions have none.
  translations: { needs: ['translations', 'description'], of: ({ translations }) => translations ?? null },
  external_id: { needs: ['origin'], of: ({ origin }) => origin?.external_id ?? null },
  location: {
    needs: ['location', 'registration_type'],
    of: (event, { caller, confirmed }) =>
      (maySeeMeetingLink(caller, event, confirmed) ? event : withoutLink(event)).location,
  },
  // Names people, so only those who can edit the event see it.
  restricted_to: {
    needs: ['restricted_to'],
    of: ({ organizer_id, restricted_to }, { caller, editsAll }) =>
      editsAll || organizer_id === caller.user_id ? restricted_to : null,
  },
  waitlist_count: { needs: ['waitlisted'], of: ({ waitlisted }) => waitlisted },
  being_revised: {
    needs: ['status', 'current_attendees', 'waitlisted'],
    of: ({ status, current_attendees, waitlisted }) =>
      (status === 'draft' || status === 'scheduled') && current_attendees + waitlisted > 0,
  },
  available_spots: { needs: ['max_attendees', 'current_attendees'], of: availableSpots },
  allowed_actions: {
    needs: ['current_attendees', ...ADMITTING],
    of: (event, { allowed, now }) => ('status' in admit(event, now) ? [...allowed(event), 'register'] : allowed(event)),
  },
  refused_actions: {
    needs: ['current_attendees', ...ADMITTING],
    of(event, { caller, now }) {
      const admission = admit(event, now);
      const refused = refusedActions(event, caller);
      return 'status' in admission ? refused : { ...refused, register: admission.detail };
    },
  },
  share_url: {
    needs: [],
    of: (event, { publicUrl }) => (event.status === 'published' ? shareUrl(event, publicUrl) : null),
  },
};

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
 * The view of many events: checks the caller's permissions once.
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
  const reader = { caller, publicUrl, now, confirmed, editsAll, allowed: allowedActionsFor(caller) };
  const columns = names.map((name) => [name, DERIVED[name]?.of] as const);
  return (event) => {
    const view: Record<string, unknown> = {};
    for (const [name, of] of columns)
      view[name] = of ? of(event as SchoolEvent, reader) : event[name as keyof SchoolEvent];
    return view;
  };
}

/** The address to share: a public event has a page that needs no sign-in. */
const shareUrl = ({ id, school_id, visibility }: SchoolEvent, publicUrl: string): string =>
  visibility === 'public'
    ? `${publicUrl}/public/${encodeURIComponent(school_id)}?event=${id}`
    : `${publicUrl}/events/${id}`;

/** The answer of every operation on one event: the whole event with its ETag. */
export function eventAnswer(
  deps: ViewDeps,
  caller: Caller,
  event: SchoolEvent,
  {
    status = 200,
    headers = {},
    confirmed,
  }: { status?: number; headers?: Record<string, string>; confirmed?: ReadonlySet<string> } = {},
): Answer {
  return { status, body: eventView(event, caller, deps, confirmed), headers: { etag: etagOf(event), ...headers } };
}
