import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { BarChart3, CalendarDays, Gauge } from 'lucide-react';
import { meQuery } from '../api/queries.ts';
import { useLive } from '../live/use-live.ts';
import { Notices } from '../parts/notices.tsx';
import { type TextId, t, useLanguage } from '../texts/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';

type Place = { to: '/events' | '/statistics' | '/ops'; text: TextId; icon: typeof Gauge; needs: string | null };

const PLACES: readonly Place[] = [
  { to: '/events', text: 'nav.calendar', icon: CalendarDays, needs: null },
  { to: '/statistics', text: 'nav.statistics', icon: BarChart3, needs: 'manage_registrations' },
  { to: '/ops', text: 'nav.ops', icon: Gauge, needs: 'manage_deliveries' },
];

/** What every page of those who are signed in stands in. */
export function Layout() {
  const language = useLanguage();
  const { data: me } = useQuery(meQuery);
  useLive(me);
  const places = PLACES.filter(({ needs }) => needs === null || me?.may.some((one) => one === needs));
  return (
    // A new language is a new page: nothing keeps a text of the old one.
    <div key={language} className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only rounded-lg bg-accent px-4 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {t('nav.skip')}
      </a>
      <header data-print="no" className="sticky top-0 z-30 border-b border-line bg-card">
        <div className="mx-auto flex h-14 max-w-screen-2xl items-center gap-2 px-3 sm:px-6">
          <Link to="/events" className="flex min-w-0 items-center gap-2.5 font-semibold">
            <img src="/favicon.svg" alt="" width="28" height="28" />
            <span className="truncate">{me?.school.name ?? 'Schoolbell'}</span>
          </Link>
          {places.length > 1 && (
            <nav aria-label={t('nav.label')} className="ml-4 hidden items-center gap-1 md:flex">
              {places.map(({ to, text }) => (
                <Link
                  key={to}
                  to={to}
                  className="rounded-lg px-3 py-1.5 font-medium text-soft hover:bg-hover hover:text-ink"
                  activeProps={{ className: 'bg-accent-soft text-accent-text' }}
                >
                  {t(text)}
                </Link>
              ))}
            </nav>
          )}
          <div className="ml-auto flex items-center gap-1">
            <Bell />
            <AccountMenu me={me} />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex grow flex-col outline-none max-md:pb-16">
        <Outlet />
      </main>
      {places.length > 1 && (
        <nav
          aria-label={t('nav.label')}
          data-print="no"
          className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
        >
          {places.map(({ to, text, icon: Picture }) => (
            <Link
              key={to}
              to={to}
              className="flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium text-soft"
              activeProps={{ className: 'text-accent-text' }}
            >
              <Picture size={20} aria-hidden />
              {t(text)}
            </Link>
          ))}
        </nav>
      )}
      <Notices />
    </div>
  );
}
