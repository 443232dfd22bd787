import type { FactType } from '../outbox/fact.ts';

/**
 * The facts that a subscription may choose, and the fields of each that its messages contain besides ids. Texts about a person
 * are not among them.
 */
const FIELDS = {
  'event.created': ['parent_event_id', 'duplicated_from_id'],
  'event.scheduled': ['publish_at'],
  'event.published': [],
  'event.unpublished': [],
  'event.cancelled': ['reason'],
  'event.postponed': ['reason', 'previous', 'date_known'],
  'event.returned': ['to'],
  'event.changed': ['fields', 'previous'],
  'event.edited': ['fields'],
  'event.started': [],
  'event.completed': [],
  'event.deleted': [],
  'registration.pending': [],
  'registration.confirmed': [],
  'registration.waitlisted': ['position'],
  'registration.cancelled': ['declined', 'by_staff'],
  'registration.refused': ['code'],
  'registration.edited': ['fields'],
  'registration.checked_in': [],
  'registration.check_in_undone': [],
} as const satisfies Partial<Record<FactType, readonly string[]>>;

export type WebhookType = keyof typeof FIELDS;

export const WEBHOOK_TYPES = Object.keys(FIELDS) as WebhookType[];

export const isWebhookType = (type: FactType): type is WebhookType => type in FIELDS;

/** The fields of a fact that messages about it contain. */
export const shownFields = (type: WebhookType): readonly string[] => FIELDS[type];
