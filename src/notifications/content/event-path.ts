import type { SchoolEvent } from '../../events/event.ts';
import type { FactType } from '../../outbox/fact.ts';

/**
 * The page that a message leads to, below the public address: the event's. A message of the school is read in the inbox, and
 * answers to it on its own page.
 */
export function pathOf({ id, is_message }: Pick<SchoolEvent, 'id' | 'is_message'>, type: FactType | undefined): string {
  if (!is_message) return `/events/${id}`;
  return type === 'message.answered' ? `/messages/${id}` : '/inbox';
}
