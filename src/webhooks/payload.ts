import type { SchoolEvent } from '../events/event.ts';
import { publicView } from '../events/read-public.ts';
import type { Fact } from '../outbox/fact.ts';
import { shownFields, type WebhookType } from './webhook-types.ts';

/**
 * The body of a message (Standard Webhooks 1.0): the fact, and the event as visitors see it. Names people by ids only.
 * @param event as it is now; null if it has been deleted
 */
export function bodyOf(fact: Fact, type: WebhookType, event: SchoolEvent | null): string {
  const { event_id, occurred_at } = fact;
  const shown = ['registration_id', 'user_id', ...shownFields(type)];
  const details = Object.entries(fact.data).filter(([field]) => shown.includes(field));
  const data = { event_id, ...Object.fromEntries(details), event: event && publicView(event) };
  return JSON.stringify({ type, timestamp: occurred_at, data });
}
