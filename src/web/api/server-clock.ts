import { createAtom } from '@tanstack/react-store';

/*
 * Bounds of the server clock's lead over this device's, in milliseconds. Every response narrows them: its `Date` header has
 * whole seconds and lies between sending and receiving.
 */
let least = Number.NEGATIVE_INFINITY;
let most = Number.POSITIVE_INFINITY;

/** The estimated lead, updated when it changes by a second or more. */
export const serverLead = createAtom(0);

/** Updates the estimate from the `Date` header of a response. */
export function updateServerClock(date: string | null, sentAt: number, receivedAt: number): void {
  const second = Date.parse(date ?? '');
  if (Number.isNaN(second)) return;
  const [low, high] = [second - receivedAt, second + 1000 - sentAt];
  // Contradicting bounds mean that the device's clock was set: start again.
  const contradicts = low > most || high < least;
  least = contradicts ? low : Math.max(least, low);
  most = contradicts ? high : Math.min(most, high);
  const ahead = (least + most) / 2;
  if (Math.abs(ahead - serverLead.get()) >= 1000) serverLead.set(ahead);
}

/** Now by the server's clock; by the device's until the first response. */
export const serverNow = (): number =>
  Number.isFinite(least) && Number.isFinite(most) ? Date.now() + (least + most) / 2 : Date.now();
