const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The pauses between the ten tries of a message, as Standard Webhooks recommends. */
const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** A pause is longer by up to this share, so that retries after an outage don't come together. */
const JITTER = 0.1;

/** Staff are warned after only failures for this time, while also the only message of weeks is still tried. */
const WARN_AFTER_MS = DAY;
/** A subscription is turned off after only failures for this time. */
const DISABLE_AFTER_MS = 5 * DAY;
/** Failures further apart than this don't belong together: the longest pause is shorter. */
const SAME_OUTAGE_MS = 2 * DAY;

/** The response of a receiver that wants no more messages. */
export const GONE = 410;

/** When to try again after this many failures; null: never. @param random in [0, 1) */
export function nextTryAt(failures: number, now: Date, random: number): Date | null {
  const pause = PAUSES_MS[failures - 1];
  return pause === undefined ? null : new Date(now.getTime() + Math.round(pause * (1 + JITTER * random)));
}

/** Failures before this time belong to an earlier outage. */
export const outageBegan = (now: Date): Date => new Date(now.getTime() - SAME_OUTAGE_MS);

/** Whether staff are warned of a subscription that has only failed since then. */
export const isToWarn = (failing_since: Date, now: Date): boolean =>
  now.getTime() - failing_since.getTime() >= WARN_AFTER_MS;

/** Whether a subscription that has only failed since then is turned off. */
export const isGivenUp = (failing_since: Date, now: Date): boolean =>
  now.getTime() - failing_since.getTime() >= DISABLE_AFTER_MS;
