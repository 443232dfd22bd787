import { useEffect, useState } from 'react';
import { onServerTime, serverNow } from './server-clock.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;

/** Now by the server's clock; the page is drawn again when a new second or minute of it has begun. */
export function useNow(step: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(
        () => {
          setNow(serverNow());
          wait();
        },
        step - (serverNow() % step) + 5,
      );
    };
    // What the server says counts at once, also what it said before this.
    const look = () => setNow(serverNow());
    const stop = onServerTime(look);
    look();
    wait();
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [step]);
  return now;
}
