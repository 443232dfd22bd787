import { HelpCircle, type LucideIcon } from 'lucide-react';
import * as ICON_SET from './icon-set.ts';

/** Icons by the API's names. */
const ICONS: Readonly<Record<string, LucideIcon>> = ICON_SET;

/** A decorative icon by the API's name; needs a text beside it. */
export function Icon({ name, size = 16, className = '' }: { name: string; size?: number; className?: string }) {
  const Picture = ICONS[name] ?? HelpCircle;
  return <Picture size={size} aria-hidden className={`shrink-0 ${className}`} />;
}
