import type { SchoolEvent } from '../event.ts';

/** Publishing many at once tells the audience once: of the next one to come. @returns its id */
export function leadOccurrenceOf(events: readonly SchoolEvent[], now: Date): string {
  const inOrder = [...events].sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
  return (inOrder.find((event) => event.starts_at > now) ?? inOrder[0])?.id ?? '';
}
