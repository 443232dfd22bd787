import {
  Award,
  FileCheck,
  Globe,
  GraduationCap,
  HandHeart,
  Heart,
  HelpCircle,
  Lock,
  type LucideIcon,
  Map as MapIcon,
  Megaphone,
  MessageSquare,
  Music,
  Palmtree,
  Presentation,
  Target,
  Trophy,
  UserCheck,
  UserCircle,
  Users,
  Wrench,
} from 'lucide-react';

/** Icons by the API's names. */
export const ICONS: Readonly<Record<string, LucideIcon>> = {
  Award,
  FileCheck,
  Globe,
  GraduationCap,
  HandHeart,
  Heart,
  HelpCircle,
  Lock,
  Map: MapIcon,
  Megaphone,
  MessageSquare,
  Music,
  Palmtree,
  Presentation,
  Target,
  Trophy,
  UserCheck,
  UserCircle,
  Users,
  Wrench,
};

/** A decorative icon by the API's name; needs a text beside it. */
export function Icon({ name, size = 16, className = '' }: { name: string; size?: number; className?: string }) {
  const Picture = ICONS[name] ?? HelpCircle;
  return <Picture size={size} aria-hidden className={`shrink-0 ${className}`} />;
}
