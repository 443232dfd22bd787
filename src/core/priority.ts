/** Urgent messages go ahead of all bulk, at every step of the message path. */
export const PRIORITIES = ['urgent', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The facts or groups of one priority. */
export const ofPriority = <T extends { urgent: boolean }>(priority: Priority, all: readonly T[]): T[] =>
  all.filter(({ urgent }) => urgent === (priority === 'urgent'));
