import { useSyncExternalStore } from 'react';

/** Whether the window is as narrow as a phone. */
export function useIsPhone(): boolean {
  const query = window.matchMedia('(max-width: 639px)');
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}
