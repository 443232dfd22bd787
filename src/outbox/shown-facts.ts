import type { FactType } from './fact.ts';

/**
 * What of each fact the timeline shows to everybody who sees the event: names of fields of its data, or null for a fact
 * that only staff and the organizer see. A new type of fact has to be decided on here.
 */
export const SHOWN_TO_ALL: Record<FactType, readonly string[] | null> = {
  'event.created': [],
  'event.scheduled': ['publish_at'],
  'event.published': [],
  'event.unpublished': [],
  'event.cancelled': ['reason'],
  'event.postponed': ['reason', 'previous', 'previous_place', 'date_known'],
  'event.returned': ['to'],
  'event.changed': ['fields', 'previous', 'previous_place'],
  'event.edited': null,
  'event.started': [],
  'event.completed': [],
  'event.deleted': null,
  'registration.pending': [],
  'registration.confirmed': [],
  'registration.waitlisted': [],
  'registration.cancelled': [],
  'registration.checked_in': null,
  'message.requested': null,
  'seats.freed': null,
  'delivery.redriven': null,
  'delivery.retried': null,
  'delivery.discarded': null,
  'delivery.revealed': null,
  'reminder.due': null,
};

/** The types of facts that everybody who sees the event is shown. */
export const TYPES_SHOWN_TO_ALL = (Object.keys(SHOWN_TO_ALL) as FactType[]).filter(
  (type) => SHOWN_TO_ALL[type] !== null,
);
