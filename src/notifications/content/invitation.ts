import { isAnsweredByYes } from '../../registrations/answers.ts';
import type { ContentInput } from './content.ts';

/** Whether an announcement asks calendars for an answer. One after a pause does not: people have answered the first. */
export function isInvitation({ invites = false, event, fact, dates = [] }: ContentInput): boolean {
  if (!invites || fact.type !== 'event.published' || dates.length > 1) return false;
  const { after_postponement = false, after_unpublishing = false } = fact.data;
  return !after_postponement && !after_unpublishing && isAnsweredByYes(event, fact.occurred_at);
}
