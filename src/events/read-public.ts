import { notFound } from '../core/errors.ts';
import { maySee, type Viewer } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';
import type { EventReader, EventStore } from './ports.ts';

/**
 * Loads the viewer for an anonymous visitor of a school.
 * @throws Refused `not_found` if no school has this id, or if several tenants have one
 */
export async function loadVisitor(deps: { eventReader: EventReader }, school_id: string): Promise<Viewer> {
  const [tenant_id, another] = await deps.eventReader.tenantsOf(school_id);
  if (tenant_id === undefined || another !== undefined) throw notFound();
  const roles = ['external'] as const;
  return { tenant_id, school_id, user_id: null, roles, class_ids: [], grade_level_ids: [], department_ids: [] };
}

/** Loads one event that external visitors may see. @throws Refused `not_found` */
export async function findPublicEvent(
  deps: { eventReader: EventReader; events: Pick<EventStore, 'find'> },
  school_id: string,
  id: string,
): Promise<SchoolEvent> {
  const visitor = await loadVisitor(deps, school_id);
  const event = await deps.events.find(visitor, id);
  if (!event || !maySee(visitor, event)) throw notFound();
  return event;
}
