import { createRootRoute, createRoute, createRouter, notFound, Outlet, redirect } from '@tanstack/react-router';
import type { Slot } from '../calendar/grid/slot.ts';
import { readCalendarSearch } from '../calendar/search.ts';
import { readInboxSearch } from '../inbox/search.ts';
import { readOpsSearch } from '../ops/search.ts';
import { ErrorMessage, NotFound } from '../parts/page.tsx';
import { readPeopleSearch } from '../people/search.ts';
import { readRosterSearch } from '../registrations/search.ts';
import { renewSession } from '../session/renew.ts';
import { currentToken } from '../session/session.ts';
import { isOver } from '../session/stored.ts';
import { readStatisticsSearch } from '../statistics/period.ts';
import { readVisitorsSearch } from '../visitors/search.ts';
import { Layout } from './layout.tsx';
import { isFramed } from './media.ts';
import { day, parseSearch, stringifySearch, texts, time } from './search.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/events' });
  },
});

/** Parent of all pages that need a signed-in user. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Layout,
  beforeLoad: async ({ location }) => {
    // Only the public calendar may be shown in a frame, where a website could lay its own buttons over ours.
    if (isFramed()) throw notFound();
    const session = currentToken();
    if (session && !isOver(session)) return;
    if (!session || !(await renewSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

const readDraft = texts('step', 'draft');

const open = { getParentRoute: () => root } as const;
const own = { getParentRoute: () => signedIn } as const;
/** The route in the script of a page. */
const found = <R,>({ Route }: { Route: R }): R => Route;

const signIn = createRoute({ ...open, path: '/sign-in', validateSearch: texts('next', 'again') }).lazy(() =>
  import('../session/sign-in-page.tsx').then(found),
);
const signInBack = createRoute({ ...open, path: '/sign-in/back' }).lazy(() =>
  import('../session/callback-page.tsx').then(found),
);
const visitors = createRoute({ ...open, path: '/public/$school', validateSearch: readVisitorsSearch }).lazy(() =>
  import('../visitors/page.tsx').then(found),
);
const embedded = createRoute({ ...open, path: '/embed/$school', validateSearch: readVisitorsSearch }).lazy(() =>
  import('../visitors/page.tsx').then(({ EmbeddedRoute }) => EmbeddedRoute),
);

const calendar = createRoute({ ...own, path: '/events', validateSearch: readCalendarSearch }).lazy(() =>
  import('../calendar/page.tsx').then(found),
);
const create = createRoute({
  ...own,
  path: '/events/new',
  validateSearch: (given: Record<string, unknown>): ReturnType<typeof readDraft> & Slot => ({
    ...readDraft(given),
    date: day(given.date),
    until: day(given.until),
    start: time(given.start),
    end: time(given.end),
  }),
}).lazy(() => import('../editor/page.tsx').then(({ NewRoute }) => NewRoute));
const copy = createRoute({ ...own, path: '/events/copy' }).lazy(() => import('../copy/page.tsx').then(found));
const event = createRoute({ ...own, path: '/events/$id', validateSearch: texts('check_in') }).lazy(() =>
  import('../event/page.tsx').then(found),
);
const edit = createRoute({ ...own, path: '/events/$id/edit', validateSearch: texts('step') }).lazy(() =>
  import('../editor/page.tsx').then(({ EditRoute }) => EditRoute),
);
const registrations = createRoute({
  ...own,
  path: '/events/$id/registrations',
  validateSearch: readRosterSearch,
}).lazy(() => import('../registrations/page.tsx').then(found));
const meetings = createRoute({ ...own, path: '/events/$id/meetings' }).lazy(() =>
  import('../registrations/meetings-page.tsx').then(found),
);

const messages = createRoute({ ...own, path: '/messages' }).lazy(() => import('../messages/page.tsx').then(found));
const newMessage = createRoute({ ...own, path: '/messages/new' }).lazy(() =>
  import('../messages/write-page.tsx').then(found),
);
const savedTexts = createRoute({ ...own, path: '/messages/texts' }).lazy(() =>
  import('../messages/texts-page.tsx').then(found),
);
const message = createRoute({ ...own, path: '/messages/$id' }).lazy(() =>
  import('../messages/message-page.tsx').then(found),
);
const calls = createRoute({ ...own, path: '/calls/$kind/$id' }).lazy(() =>
  import('../acknowledgements/page.tsx').then(found),
);

const people = createRoute({ ...own, path: '/people', validateSearch: readPeopleSearch }).lazy(() =>
  import('../people/page.tsx').then(found),
);
const person = createRoute({ ...own, path: '/people/$id' }).lazy(() => import('../people/person-page.tsx').then(found));
const importPeople = createRoute({ ...own, path: '/people/import' }).lazy(() =>
  import('../people/import-page.tsx').then(found),
);

const statistics = createRoute({ ...own, path: '/statistics', validateSearch: readStatisticsSearch }).lazy(() =>
  import('../statistics/page.tsx').then(found),
);
const inbox = createRoute({ ...own, path: '/inbox', validateSearch: readInboxSearch }).lazy(() =>
  import('../inbox/page.tsx').then(found),
);
const settings = createRoute({ ...own, path: '/settings' }).lazy(() => import('../settings/page.tsx').then(found));
const school = createRoute({ ...own, path: '/school' }).lazy(() => import('../school/page.tsx').then(found));
const ops = createRoute({ ...own, path: '/ops', validateSearch: readOpsSearch }).lazy(() =>
  import('../ops/page.tsx').then(found),
);

const ofEvents = [calendar, create, copy, event, edit, registrations, meetings];
const ofPeople = [people, importPeople, person];
const ofMessages = [messages, newMessage, savedTexts, message, calls];
const pages = [...ofEvents, ...ofMessages, ...ofPeople, statistics, inbox, settings, school, ops];

/** The pages by URL; each loads its script on first use. */
export const router = createRouter({
  routeTree: root.addChildren([home, signIn, signInBack, visitors, embedded, signedIn.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ({ error }) => (
    <div className="mx-auto max-w-xl px-4">
      {/* The script of the page is missing, of which the browser and the router remember the failure. */}
      <ErrorMessage error={error} onRetry={() => window.location.reload()} />
    </div>
  ),
  defaultNotFoundComponent: NotFound,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
