type Options<T> = {
  /** Runs in the leading tab until `signal` aborts; `send` reaches every tab. */
  lead: (send: (message: T) => void, signal: AbortSignal) => Promise<void>;
  onMessage: (message: T) => void;
};

/**
 * Elects one of the browser's tabs as leader, which sends messages to all of them. A Web Lock decides: the browser passes it
 * on when the leading tab closes. Without Web Locks (no https), every tab leads itself.
 * @returns leaves the election
 */
export function electTabLeader<T>(name: string, { lead, onMessage }: Options<T>): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) {
    void lead(onMessage, signal);
    return () => leaving.abort();
  }
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<T>) => onMessage(data);
  const send = (message: T) => {
    if (signal.aborted) return;
    channel.postMessage(message);
    onMessage(message);
  };
  locks.request(name, { signal }, () => lead(send, signal)).catch(() => {});
  return () => {
    leaving.abort();
    channel.close();
  };
}
