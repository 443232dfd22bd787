/** Time is an argument: nothing in the slices asks the system what time it is. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
