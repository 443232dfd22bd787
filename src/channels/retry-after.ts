/** A longer Retry-After is cut to one day. */
const MAX_MS = 24 * 60 * 60 * 1000;

/** Retry-After (RFC 9110 §10.2.3), seconds or a date, in milliseconds; undefined if absent or invalid. */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_MS);
}
