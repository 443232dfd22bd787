import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { Span } from '../calendar/grid/span.ts';
import { readCalendarSearch } from '../calendar/search.ts';
import type { OpsSearch } from '../ops/queries.ts';
import { ErrorMessage, NotFound } from '../parts/page.tsx';
import type { RegistrationSearch } from '../registrations/data.ts';
import { renewSession } from '../session/renew.ts';
import { currentSession } from '../session/session.ts';
import { isOver } from '../session/stored.ts';
import type { StatisticsSearch } from '../statistics/period.ts';
import { withOtherTexts } from '../texts/texts.ts';
import { Layout } from './layout.tsx';
import { isFramed } from './media.ts';
import { day, oneOf, parseSearch, stringifySearch, text, texts, time } from './search.ts';

const root = createRootRoute();

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => redirect({ to: '/events', throw: true }),
});

/** Parent of all pages that need a signed-in user. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Layout,
  beforeLoad: async ({ location }) => {
    // Only the public calendar may be shown in a frame, where a website could lay its own buttons over ours.
    if (isFramed()) throw notFound();
    const session = currentSession();
    // Without a connection it is renewed once there is one.
    if (session && !(isOver(session) && navigator.onLine)) return;
    if (!session || !(await renewSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

type Read<Search> = (given: Record<string, unknown>) => Search;
const readNothing: Read<object> = () => ({});
const readVisitors: Read<{ date?: string; event?: string }> = ({ date, event }) => ({
  date: day(date),
  event: text(event),
});
const readRegistrations = texts('status', 'kind', 'q') as Read<RegistrationSearch>;
const readPeople = texts('q', 'class_id', 'role', 'left');
const readOps: Read<OpsSearch> = (given) => ({
  show: oneOf(['quarantine'] as const, given.show),
  ...texts('status', 'channel', 'trigger', 'event_id', 'user_id')(given),
});
const readStatistics: Read<StatisticsSearch> = ({ from, to, as }) => ({
  from: day(from),
  to: day(to),
  as: oneOf(['table'] as const, as),
});
const readForm = texts('step', 'draft');
const readDraft = (given: Record<string, unknown>): ReturnType<typeof readForm> & Span => ({
  ...readForm(given),
  date: day(given.date),
  until: day(given.until),
  start: time(given.start),
  end: time(given.end),
});

/** Drops the names that a page does not read: the router would keep them, and a page may pass its search on to the API. */
const only =
  <Search,>(read: Read<Search>): Read<Search> =>
  (given) => ({ ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])), ...read(given) });

type Script = { default: RouteComponent };

/**
 * A page below a parent, which its script exports by default; it shows once its texts are there too.
 * @param read reads its part of the URL
 */
const pageOf =
  <Parent extends AnyRoute>(parent: Parent) =>
  <Path extends string, Search = object>(path: Path, load: () => Promise<Script>, read = readNothing as Read<Search>) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(() => withOtherTexts(load())),
      validateSearch: only(read),
    });
/** A page that everyone may open. */
const open = pageOf(root);
/** A page that needs a signed-in user. */
const own = pageOf(signedIn);

const openPages = [
  open('/sign-in', () => import('../session/sign-in-page.tsx'), texts('next', 'again')),
  // Keeps what the identity provider adds to the URL.
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/back',
    component: lazyRouteComponent(() => withOtherTexts(import('../session/callback-page.tsx'))),
  }),
  open('/public/$school', () => import('../visitors/page.tsx'), readVisitors),
  open('/embed/$school', () => import('../visitors/page.tsx'), readVisitors),
];

const ownPages = [
  // The page that shows first has its texts already.
  createRoute({
    getParentRoute: () => signedIn,
    path: '/events',
    component: lazyRouteComponent(() => import('../calendar/page.tsx')),
    validateSearch: only(readCalendarSearch),
  }),
  own('/events/new', () => import('../editor/page.tsx').then((one) => ({ default: one.NewEventPage })), readDraft),
  own('/events/copy', () => import('../copy/page.tsx')),
  own('/events/$id', () => import('../event/page.tsx'), texts('check_in')),
  own('/events/$id/edit', () => import('../editor/page.tsx'), texts('step')),
  own('/events/$id/registrations', () => import('../registrations/page.tsx'), readRegistrations),
  own('/events/$id/meetings', () => import('../registrations/meetings-page.tsx')),

  own('/messages', () => import('../messages/page.tsx')),
  own('/messages/new', () => import('../messages/write-page.tsx')),
  own('/messages/texts', () => import('../messages/texts-page.tsx')),
  own('/messages/$id', () => import('../messages/message-page.tsx')),
  own('/calls/$kind/$id', () => import('../acknowledgements/call-list-page.tsx')),

  own('/people', () => import('../people/page.tsx'), readPeople),
  own('/people/$id', () => import('../people/person-page.tsx')),
  own('/people/import', () => import('../people/import-page.tsx')),

  own('/statistics', () => import('../statistics/page.tsx'), readStatistics),
  own('/inbox', () => import('../inbox/page.tsx'), texts('show')),
  own('/settings', () => import('../settings/page.tsx')),
  own('/school', () => import('../school/page.tsx')),
  own('/ops', () => import('../ops/page.tsx'), readOps),
];

/** The pages by URL; each loads its script on first use. */
export const router = createRouter({
  routeTree: root.addChildren([home, ...openPages, signedIn.addChildren(ownPages)]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ({ error }) => (
    <div className="mx-auto max-w-xl px-4">
      {/* The script of the page is missing, of which the browser and the router remember the failure. */}
      <ErrorMessage error={error} onRetry={() => window.location.reload()} />
    </div>
  ),
  notFoundMode: 'root',
  defaultNotFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
