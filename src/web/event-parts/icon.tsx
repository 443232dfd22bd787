import { HelpCircle, type LucideIcon } from 'lucide-react';
import * as ICON_SET from './icon-set.ts';

/** Icons by the API's names. */
const ICONS: Readonly<Record<string, LucideIcon>> = ICON_SET;

export const iconOf = (name: string | undefined): LucideIcon => ICONS[name ?? ''] ?? HelpCircle;

/** A decorative icon by the API's name; needs a text beside it. */
export function Icon({ name, size }: { name: string; size: number }) {
  const Picture = iconOf(name);
  return <Picture size={size} className="shrink-0" />;
}
