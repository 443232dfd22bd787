import { useEffect } from 'react';
import { COLOR_KEY, showColor } from './color.ts';

/** Shows buttons and links in the color of the school, also the next time before the page has loaded. */
export function useSchoolColor(color: string | null | undefined): void {
  useEffect(() => {
    if (color === undefined) return;
    showColor(color);
    if (color === null) localStorage.removeItem(COLOR_KEY);
    else localStorage.setItem(COLOR_KEY, color);
  }, [color]);
}

/** The logo of the school, or ours. */
export const Logo = ({ school }: { school: { logo_url: string | null } | undefined }) => (
  <img src={school?.logo_url ?? '/favicon.svg'} alt="" className="h-7 max-w-32 object-contain" />
);
