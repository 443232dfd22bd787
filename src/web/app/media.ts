import { useSyncExternalStore } from 'react';
import { PHONE } from './phone.ts';

/** Whether the window is as narrow as a phone. */
export function useIsPhone(): boolean {
  const query = window.matchMedia(PHONE);
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
