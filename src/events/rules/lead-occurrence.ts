import type { SchoolEvent } from '../event.ts';

/** The occurrence whose announcement covers all that are published together: the next one to start. @returns its id */
export function leadOccurrenceOf(events: readonly SchoolEvent[], now: Date): string {
  const inOrder = [...events].sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
  return (inOrder.find((event) => event.starts_at > now) ?? inOrder[0])?.id ?? '';
}
