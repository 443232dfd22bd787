import type { NewFact } from './fact.ts';

/** The newest version of the payloads (fact.ts). A process skips facts of a newer version and leaves them to newer processes. */
export const FACT_VERSION = 8;

/** The version of a payload; the comments say what processes of earlier versions would do with it. */
export function versionOf({ type, data }: NewFact): number {
  // would skip it
  if (type === 'registration.refused') return 8;
  // would name one person of the family; would send to all, also to those who have answered
  if ('family' in data || 'unanswered' in data) return 6;
  // would send a test message to the school
  if ('sample' in data) return 5;
  // 7: would send immediately and on all channels; 4: would skip it
  if (type === 'acknowledgement.reminded') return 'tell_at' in data || 'channels' in data ? 7 : 4;
  // would skip it
  if (type === 'message.school' || type === 'message.urgent') return 3;
  // 2: would send a message for each date
  return type !== 'event.published' && ('also' in data || 'announced_with' in data) ? 2 : 1;
}
