import { BarChart3, CalendarDays, Gauge, type LucideIcon, Megaphone, School, Users } from 'lucide-react';
import type { Me, Permission } from '../api/types.ts';
import type { TextId } from '../texts/texts.ts';

const NAV_ITEMS = [
  { to: '/events', text: 'nav.calendar', icon: CalendarDays, needs: null },
  { to: '/messages', text: 'nav.messages', icon: Megaphone, needs: 'send_messages' },
  { to: '/people', text: 'people.label', icon: Users, needs: 'manage_contacts' },
  { to: '/statistics', text: 'nav.statistics', icon: BarChart3, needs: 'offer_statistics' },
  { to: '/ops', text: 'nav.ops', icon: Gauge, needs: 'manage_deliveries' },
  { to: '/school', text: 'nav.school', icon: School, needs: 'manage_settings' },
] as const satisfies { to: string; text: TextId; icon: LucideIcon; needs: Permission | null }[];

export type NavItem = (typeof NAV_ITEMS)[number];

/** The pages of the main menu that a user may see. */
export const navItemsOf = (me: Me | undefined): NavItem[] =>
  NAV_ITEMS.filter(({ needs }) => needs === null || me?.may.includes(needs));
