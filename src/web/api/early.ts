/** An answer that was asked for before the scripts were there that need it. */
export type Early = { token: string; asked: number; heard: number; answer: Promise<Response> };

declare global {
  interface Window {
    /** by path and query */
    early?: Record<string, Early>;
  }
}

/** Later than this it may be out of date. */
const FRESH_MS = 20_000;

/** Asks at once; the page that is about to come takes the answer with `takeEarly`. */
export function askEarly(path: string, token: string, language: string): void {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language };
  const early: Early = { token, asked: Date.now(), heard: 0, answer: fetch(path, { headers }) };
  early.answer.then(
    () => {
      early.heard = Date.now();
    },
    () => {},
  );
  window.early ??= {};
  window.early[path] = early;
}

/** The answer to a request, if somebody asked for just that early; each is given once. */
export function takeEarly({ method, url }: Request, token: string | undefined): Early | null {
  const path = url.slice(window.location.origin.length);
  const early = window.early?.[path];
  if (!early || method !== 'GET') return null;
  delete window.early?.[path];
  return early.token === token && Date.now() - early.asked < FRESH_MS ? early : null;
}
