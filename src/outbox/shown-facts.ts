import type { FactType } from './fact.ts';

/**
 * The data fields of each fact that the timeline shows to everyone who may see the event; null hides the fact from all but
 * staff and the organizer.
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
  'registration.refused': null,
  'registration.edited': null,
  'registration.checked_in': null,
  'registration.check_in_undone': null,
  'message.requested': null,
  'message.school': null,
  'message.urgent': null,
  'message.withdrawn': null,
  'message.answered': null,
  'acknowledgement.given': null,
  'acknowledgement.reminded': null,
  'seats.freed': null,
  'delivery.redriven': null,
  'delivery.retried': null,
  'delivery.discarded': null,
  'delivery.revealed': null,
  'reminder.due': null,
};

/** The facts that the timeline shows to everyone who may see the event. */
export const TYPES_SHOWN_TO_ALL = (Object.keys(SHOWN_TO_ALL) as FactType[]).filter(
  (type) => SHOWN_TO_ALL[type] !== null,
);
