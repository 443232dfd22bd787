import type { FastifyRequest } from 'fastify';
import { notFound, orNotFound } from '../../core/errors.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { publishIfDue } from '../../events/pass-time.ts';
import type { EventDeps } from '../../events/ports.ts';
import { eventIdOf } from '../../ingest/item.ts';
import { eventOf, type MessageStore } from '../../messages/message.ts';
import { type Caller, PERMISSIONS, type Permission } from '../../people/caller.ts';
import { mayOpen, maySee } from '../../people/visibility.ts';
import { hasOwnRegistration } from '../../registrations/list.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import { EVENTS, MESSAGE } from '../paths.ts';

const BELOW = `${EVENTS}/:id`;

/** The event or message in the path of a route; null for a route that is below neither. */
export type EventBelow<Url extends string> = Url extends `${typeof BELOW | typeof MESSAGE}${string}`
  ? SchoolEvent
  : null;

export type EventOfPathDeps = EventDeps & {
  registrations: Pick<RegistrationStore, 'findAmong'>;
  messages: Pick<MessageStore, 'find'>;
};

/** `event`: null for a route that is below neither an event nor a message */
type Reached = { event: SchoolEvent | null; caller: Caller };
type Asking = Pick<FastifyRequest, 'method' | 'params'> & {
  routeOptions: { url?: string; config: { permission?: Permission } };
};

/**
 * Loads the event of a path below `/events/:id`, by our id or by the id that another service reports it with. Every
 * route below an event calls this function, so a new route cannot forget the rule: the caller may see the event, or is
 * registered for it or a guardian of a student who may see it, and the route needs no more than `events.view`. A caller who
 * may not see the event loses all other permissions for this request. A GET publishes an event whose publication is overdue.
 * A message below `/messages/:message_id` comes in the shape of an event; the permission of its routes is enough to see it.
 * @returns the caller with the permissions that apply to it
 * @throws Refused `not_found` for an unknown event, one of another school and one that the caller may not see
 */
export async function loadEventOfPath(deps: EventOfPathDeps, caller: Caller, request: Asking): Promise<Reached> {
  const { url, config } = request.routeOptions;
  const { id, rid, message_id } = request.params as { id: string; rid?: string; message_id: string };
  if (url?.startsWith(MESSAGE))
    return { event: eventOf(orNotFound(await deps.messages.find(caller, message_id))), caller };
  if (!url?.startsWith(BELOW)) return { event: null, caller };
  const known = await deps.events.find(caller, id);
  const found = orNotFound(known ?? (await deps.events.find(caller, eventIdOf(caller, id))));
  const event = request.method === 'GET' ? await publishIfDue(deps, found) : found;
  if (maySee(caller, event)) return { event, caller };
  const { permission = 'view_events' } = config;
  const isOpen =
    permission === 'view_events' &&
    (mayOpen(caller, event) || (await hasOwnRegistration(deps.registrations, caller, event.id, rid)));
  if (!isOpen) throw notFound();
  const permissions = caller.permissions.filter((one) => (PERMISSIONS.view_events as readonly string[]).includes(one));
  return { event, caller: { ...caller, permissions } };
}
