import { useEffect, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { PHONE } from './phone.ts';

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useMedia(PHONE);

/** Whether a media query applies. */
export function useMedia(media: string): boolean {
  const query = window.matchMedia(media);
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}

/** Whether the client is shown in a frame on another page. */
export const isFramed = (): boolean => window.self !== window.top;

/** Whether the page is being printed; true in time for the browser to lay out the print. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const media = matchMedia('print');
    const change = () => flushSync(() => setPrinting(media.matches));
    const before = () => flushSync(() => setPrinting(true));
    media.addEventListener('change', change);
    window.addEventListener('beforeprint', before);
    return () => {
      media.removeEventListener('change', change);
      window.removeEventListener('beforeprint', before);
    };
  }, []);
  return isPrinting;
}
