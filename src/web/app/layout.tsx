import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { MoveQuestion } from '../actions/move-question.tsx';
import { useOnline } from '../api/connection.ts';
import { unreadQuery, useMe } from '../api/queries.ts';
import { useLive } from '../live/use-live.ts';
import { PaletteButton, PaletteHost } from '../palette/button.tsx';
import { lazily } from '../parts/lazily.tsx';
import { Notices } from '../parts/notices.tsx';
import { useSessionEnd } from '../session/renew.ts';
import { t } from '../texts/texts.ts';
import { ViewAsHost, ViewBanner } from '../view-as/host.tsx';
import { AccountMenu } from './account-menu.tsx';
import { navItemsOf } from './nav-items.ts';
import { Logo } from './school-look.tsx';

const SignInAgain = lazily(() => import('../session/sign-in-again.tsx'));

/** Header, navigation and notices around every page of a signed-in user. */
export function Layout() {
  const me = useMe();
  const isOnline = useOnline();
  const hasEnded = useSessionEnd();
  useLive(me);
  const items = navItemsOf(me);
  return (
    <div
      className={`flex min-h-dvh flex-col print:block ${items.length > 1 ? 'max-md:[--nav:calc(3.5rem+env(safe-area-inset-bottom))]' : ''}`}
    >
      <a
        href="#main"
        className="sr-only rounded-lg bg-accent px-4 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {t('nav.skip')}
      </a>
      <ViewBanner me={me} />
      <header data-print="no" className="sticky top-0 z-30 border-b border-line bg-card">
        <div className="mx-auto flex h-14 max-w-screen-2xl items-center gap-2 px-3 sm:px-6">
          <Link to="/events" className="flex min-w-0 items-center gap-2.5 font-semibold">
            <Logo school={me?.school} />
            <span className={`truncate ${items.length > 1 ? 'md:max-lg:sr-only' : ''}`}>
              {me?.school.name ?? 'Schoolbell'}
            </span>
          </Link>
          {items.length > 1 && (
            <nav aria-label={t('nav.label')} className="ml-4 hidden items-center gap-1 md:flex">
              {items.map(({ to, text }) => (
                <Link
                  key={to}
                  to={to}
                  className="rounded-lg px-3 py-1.5 font-medium text-soft hover:bg-hover hover:text-ink max-lg:px-2"
                  activeProps={{ className: 'bg-accent-soft text-accent-text' }}
                >
                  {t(text)}
                </Link>
              ))}
            </nav>
          )}
          <div className="ml-auto flex items-center gap-1">
            <PaletteButton />
            <Bell />
            <AccountMenu />
          </div>
        </div>
      </header>
      {!isOnline && (
        <p role="status" data-print="no" className="bg-warn-soft px-4 py-2 text-center font-medium text-warn">
          {t('connection.lost')}
        </p>
      )}
      <main id="main" tabIndex={-1} className="flex grow flex-col outline-none pb-(--nav) print:block">
        <Outlet />
      </main>
      {items.length > 1 && (
        <nav
          aria-label={t('nav.label')}
          data-print="no"
          className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
        >
          {items.map(({ to, text, icon: Picture }) => (
            <Link
              key={to}
              to={to}
              className="flex min-h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-[0.6875rem] font-medium tracking-tight text-soft"
              activeProps={{ className: 'text-accent-text' }}
            >
              <Picture size={20} />
              <span className="max-w-full px-px text-center leading-none wrap-anywhere">{t(text)}</span>
            </Link>
          ))}
        </nav>
      )}
      <PaletteHost />
      <ViewAsHost />
      <MoveQuestion />
      <Notices />
      {hasEnded && <SignInAgain />}
    </div>
  );
}

const MAX_SHOWN = 99;

/** Links to the inbox and shows the number of unread messages, highlighted while some are new. */
function Bell() {
  const { data: { unread_count: unread, unseen_count: unseen } = { unread_count: 0, unseen_count: 0 } } =
    useQuery(unreadQuery);
  return (
    <Link
      to="/inbox"
      aria-label={unread > 0 ? t('inbox.bell', { count: unread }) : t('nav.inbox')}
      className="flex h-9 min-w-9 items-center rounded-lg pl-[8.5px] text-ink hover:bg-hover max-sm:h-[44px] max-sm:min-w-[44px] max-sm:pl-[12.5px]"
      activeProps={{ className: 'bg-accent-soft text-accent-text' }}
    >
      <BellIcon size={19} />
      {unread > 0 && (
        <span
          aria-hidden
          data-new={unseen > 0 || undefined}
          // Beside the bell, of which it covers a corner, also with large text.
          className="mb-4 -ml-[7px] min-w-5 rounded-full border-2 border-card bg-hover px-1 text-center text-[0.6875rem] leading-4 font-semibold text-ink tabular-nums data-new:bg-accent data-new:text-accent-ink"
        >
          {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        </span>
      )}
    </Link>
  );
}
