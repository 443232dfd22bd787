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

/** The pictures behind the names that the API gives (a test asks the API for all of them). */
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

/** A picture by the API's name for it; what stands beside it says the same in words. */
export function Icon({ name, size = 16, className = '' }: { name: string; size?: number; className?: string }) {
  const Picture = ICONS[name] ?? HelpCircle;
  return <Picture size={size} aria-hidden className={`shrink-0 ${className}`} />;
}
