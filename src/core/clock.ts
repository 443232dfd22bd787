/** The only source of the current time: slices take a clock so that tests can set it. */
export type Clock = { now(): Date };
