import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import { isAnsweredByYes } from '../../registrations/answers.ts';
import { isAfterDeadline } from '../../registrations/seats/admission.ts';
import type { Delivery } from '../delivery.ts';

/** Whether the event was published before. */
export const isPublishedAgain = (fact: Fact): fact is Fact<'event.published'> =>
  fact.type === 'event.published' && fact.data.sequence > 1;

/** Whether registered people were notified of a postponement or a revision before this publication. */
export const isAfterPause = ({ data }: Fact): boolean => 'after_postponement' in data || 'after_unpublishing' in data;

/** Whether calendars may answer announcements of an event: a yes registers, and is about one date. */
export const canInvite = (event: SchoolEvent): boolean => event.recurrence_id === null && isAnsweredByYes(event);

/** Whether an announcement asks calendars for an answer. One after a pause does not: people have answered the first. */
export function isInvitation(fact: Fact, event: SchoolEvent): boolean {
  if (fact.type !== 'event.published' || !canInvite(event)) return false;
  return !isAfterPause(fact) && !isAfterDeadline(event, fact.occurred_at);
}

/**
 * Whether a message is about its reader alone, so that an answer can mean no one else. An address that a registration gave is
 * not verified, so its reader can't answer.
 */
export const isForReaderAlone = ({ also, on_behalf_of, given_by }: Delivery): boolean =>
  also.length === 0 && on_behalf_of.length === 0 && given_by === null;
