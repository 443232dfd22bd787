import { useSyncExternalStore } from 'react';
import { PHONE } from './phone.ts';

/** Whether the window is that narrow. */
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
