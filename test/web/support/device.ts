type Device = { session: string | null; language: string | undefined; aheadMs: number | undefined };

/** Sets session, language and clock before the scripts of a page run. Playwright’s clock would stay, and costs a second of CPU. */
export function prepareDevice({ session, language, aheadMs }: Device): void {
  // A framed email has no storage.
  if (window !== window.top) return;
  if (session) localStorage.setItem('session', session);
  if (language) localStorage.language ??= language;
  if (!aheadMs) return;
  const real = Date;
  const now = () => real.now() + aheadMs;
  window.Date = new Proxy(real, {
    construct: (_, given) => Reflect.construct(real, given.length > 0 ? given : [now()]),
    get: (_, key) => (key === 'now' ? now : Reflect.get(real, key)),
  });
}
