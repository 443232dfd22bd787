type Options<T> = {
  /** Runs in one tab of all that share the name, until the signal; what it tells is heard in every tab. */
  lead: (tell: (told: T) => void, signal: AbortSignal) => Promise<void>;
  hear: (told: T) => void;
};

/**
 * One tab leads, the others hear what it tells; when it is closed, another leads. The browser's own lock decides, which
 * a tab that dies gives back. Where there are no locks (an address without https), every tab leads for itself.
 * @returns ends it for this tab
 */
export function onePerBrowser<T>(name: string, { lead, hear }: Options<T>): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) {
    void lead(hear, signal);
    return () => ending.abort();
  }
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<T>) => hear(data);
  const tell = (told: T) => {
    if (signal.aborted) return;
    channel.postMessage(told);
    hear(told);
  };
  locks.request(name, { signal }, () => lead(tell, signal)).catch(() => {});
  return () => {
    ending.abort();
    channel.close();
  };
}
