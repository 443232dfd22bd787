import { useEffect } from 'react';
import { showColor } from './color.ts';

/** Shows buttons and links in the color of the school, once it is known. */
export function useSchoolColor(color: string | null | undefined): void {
  useEffect(() => {
    if (color !== undefined) showColor(color);
  }, [color]);
}

/** The logo of the school, or ours. */
export const Logo = ({ school }: { school: { logo_url: string | null } | undefined }) => (
  <img src={school?.logo_url ?? '/favicon.svg'} alt="" className="h-7 max-w-32 object-contain" />
);
