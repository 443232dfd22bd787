import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

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
