import { useEffect, useEffectEvent } from 'react';

/** Calls `onKeyDown` for every key that is pressed on the page. */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  const listener = useEffectEvent(onKeyDown);
  useEffect(() => {
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
