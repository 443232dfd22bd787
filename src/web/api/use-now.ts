import { useEffect, useState } from 'react';
import { inZone } from '../texts/dates.ts';
import { useSchoolZone } from './queries.ts';
import { serverLead, serverNow } from './server-clock.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;

/** Today in the zone of the school. */
export const useToday = (): string => inZone(useNow(MINUTE), useSchoolZone()).day;

/** Now by the server's clock; renders again at every full `step` milliseconds of it. */
export function useNow(step: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      clearTimeout(timer);
      timer = setTimeout(update, step - (serverNow() % step) + 5);
      setNow(serverNow());
    };
    const { unsubscribe } = serverLead.subscribe(update);
    // The estimate may have changed before this effect ran.
    update();
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [step]);
  return now;
}
