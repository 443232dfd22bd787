import { onlineManager } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sessionStore } from '../../session/session.ts';

/** Calls `save` when the server answers again, and after a new sign-in. */
export function useSaveAgain(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const ends = [onlineManager, sessionStore].map(({ subscribe }) => subscribe(() => latest.current()));
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
