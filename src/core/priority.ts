/** Urgent messages go ahead of all bulk, at every step of the message path. */
export const PRIORITIES = ['urgent', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];
