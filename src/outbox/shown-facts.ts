import type { FactType } from './fact.ts';

/**
 * The data fields of each fact that two audiences see besides ids; null hides the fact. `all`: everyone who may see the event, in
 * its timeline, where staff and the organizer see all fields. `webhooks`: the receivers of webhooks, so no texts about a person.
 */
const FIELDS = {
  'event.created': { all: [], webhooks: ['parent_event_id', 'duplicated_from_id'] },
  'event.scheduled': { all: ['publish_at'], webhooks: ['publish_at'] },
  'event.published': { all: [], webhooks: [] },
  'event.unpublished': { all: [], webhooks: [] },
  'event.cancelled': { all: ['reason'], webhooks: ['reason'] },
  'event.postponed': {
    all: ['reason', 'previous', 'previous_place', 'date_known'],
    webhooks: ['reason', 'previous', 'date_known'],
  },
  'event.returned': { all: ['to'], webhooks: ['to'] },
  'event.changed': { all: ['fields', 'previous', 'previous_place'], webhooks: ['fields', 'previous'] },
  'event.edited': { all: null, webhooks: ['fields'] },
  'event.started': { all: [], webhooks: [] },
  'event.completed': { all: [], webhooks: [] },
  'event.deleted': { all: null, webhooks: [] },
  'registration.pending': { all: [], webhooks: [] },
  'registration.confirmed': { all: [], webhooks: [] },
  'registration.waitlisted': { all: [], webhooks: ['position'] },
  'registration.cancelled': { all: [], webhooks: ['declined', 'by_staff'] },
  'registration.refused': { all: null, webhooks: ['code'] },
  'registration.edited': { all: null, webhooks: ['fields'] },
  'registration.checked_in': { all: null, webhooks: [] },
  'registration.check_in_undone': { all: null, webhooks: [] },
  'message.requested': { all: null, webhooks: null },
  'message.school': { all: null, webhooks: null },
  'message.urgent': { all: null, webhooks: null },
  'message.withdrawn': { all: null, webhooks: null },
  'message.answered': { all: null, webhooks: null },
  'acknowledgement.given': { all: null, webhooks: null },
  'acknowledgement.reminded': { all: null, webhooks: null },
  'seats.freed': { all: null, webhooks: null },
  'delivery.redriven': { all: null, webhooks: null },
  'delivery.retried': { all: null, webhooks: null },
  'delivery.discarded': { all: null, webhooks: null },
  'delivery.revealed': { all: null, webhooks: null },
  'reminder.due': { all: null, webhooks: null },
} as const satisfies typeof SHOWN_FIELDS;

export const SHOWN_FIELDS: Record<FactType, Record<'all' | 'webhooks', readonly string[] | null>> = FIELDS;

const TYPES = Object.keys(FIELDS) as FactType[];

/** The facts that the timeline shows to everyone who may see the event. */
export const TYPES_SHOWN_TO_ALL = TYPES.filter((type) => SHOWN_FIELDS[type].all !== null);

/** The facts that a webhook may choose. */
export type WebhookType = {
  [T in FactType]: (typeof FIELDS)[T]['webhooks'] extends null ? never : T;
}[FactType];

export const isWebhookType = (type: FactType): type is WebhookType => SHOWN_FIELDS[type].webhooks !== null;

export const WEBHOOK_TYPES: readonly WebhookType[] = TYPES.filter(isWebhookType);
