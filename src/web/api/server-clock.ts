/** What the server's clock is ahead of this device's, in milliseconds, as narrow as its answers have told. */
let least = Number.NEGATIVE_INFINITY;
let most = Number.POSITIVE_INFINITY;
let told = 0;
const listeners = new Set<() => void>();

/** Calls when the server's clock turns out to be another than was thought, by a second or more. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Learns from an answer: its `Date` is a second that lay between asking and hearing. */
export function hearServerTime(date: string | null, asked: number, heard: number): void {
  const second = Date.parse(date ?? '');
  if (Number.isNaN(second)) return;
  const [low, high] = [second - heard, second + 1000 - asked];
  // The device's clock was set meanwhile: what was known is worth nothing.
  const contradicts = low > most || high < least;
  least = contradicts ? low : Math.max(least, low);
  most = contradicts ? high : Math.min(most, high);
  const ahead = (least + most) / 2;
  if (Math.abs(ahead - told) < 1000) return;
  told = ahead;
  for (const listener of listeners) listener();
}

/** Now, by the server's clock; by the device's until the server has spoken. */
export const serverNow = (): number =>
  Number.isFinite(least) && Number.isFinite(most) ? Date.now() + (least + most) / 2 : Date.now();
