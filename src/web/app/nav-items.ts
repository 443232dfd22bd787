import { BarChart3, CalendarDays, Gauge, Megaphone, School, Users } from 'lucide-react';
import type { Me, Permission } from '../api/types.ts';
import type { TextId } from '../texts/texts.ts';

export type NavItem = {
  to: '/events' | '/messages' | '/people' | '/statistics' | '/ops' | '/school';
  text: TextId;
  icon: typeof Gauge;
  needs: Permission | null;
};

const NAV_ITEMS: readonly NavItem[] = [
  { to: '/events', text: 'nav.calendar', icon: CalendarDays, needs: null },
  { to: '/messages', text: 'nav.messages', icon: Megaphone, needs: 'send_messages' },
  { to: '/people', text: 'people.label', icon: Users, needs: 'manage_contacts' },
  { to: '/statistics', text: 'nav.statistics', icon: BarChart3, needs: 'offer_statistics' },
  { to: '/ops', text: 'nav.ops', icon: Gauge, needs: 'manage_deliveries' },
  { to: '/school', text: 'nav.school', icon: School, needs: 'manage_settings' },
];

/** The pages of the main menu that a user may see. */
export const navItemsOf = (me: Me | undefined): NavItem[] =>
  NAV_ITEMS.filter(({ needs }) => needs === null || me?.may.includes(needs));
