/** A request sent before the scripts that need its response have loaded. */
type Prefetched = { token: string; sentAt: number; receivedAt: number; response: Promise<Response> };

declare global {
  interface Window {
    /** by path and query */
    prefetched?: Record<string, Prefetched>;
  }
}

/** An older response may be out of date. */
const FRESH_MS = 20_000;

/** Sends a request immediately; the page takes its response with `takePrefetched`. */
export function prefetch(path: string, token: string, language: string): void {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language };
  const prefetched: Prefetched = { token, sentAt: Date.now(), receivedAt: 0, response: fetch(path, { headers }) };
  prefetched.response.then(
    () => {
      prefetched.receivedAt = Date.now();
    },
    () => {},
  );
  window.prefetched ??= {};
  window.prefetched[path] = prefetched;
}

/** The prefetched response to this request, or null. Returns each only once. */
export function takePrefetched({ method, url }: Request, token: string | undefined): Prefetched | null {
  const path = url.slice(window.location.origin.length);
  const prefetched = window.prefetched?.[path];
  if (!prefetched || method !== 'GET') return null;
  delete window.prefetched?.[path];
  return prefetched.token === token && Date.now() - prefetched.sentAt < FRESH_MS ? prefetched : null;
}
