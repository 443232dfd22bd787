import { createRootRoute, createRoute, createRouter, notFound, Outlet, redirect } from '@tanstack/react-router';
import type { Slot } from '../calendar/grid/slot.ts';
import { readCalendarSearch } from '../calendar/search.ts';
import { readInboxSearch } from '../inbox/search.ts';
import { readOpsSearch } from '../ops/search.ts';
import { ErrorMessage } from '../parts/page.tsx';
import { readPeopleSearch } from '../people/search.ts';
import { readRosterSearch } from '../registrations/search.ts';
import { renewSession } from '../session/renew.ts';
import { currentToken } from '../session/session.ts';
import { isOver } from '../session/stored.ts';
import { readStatisticsSearch } from '../statistics/period.ts';
import { readVisitorsSearch } from '../visitors/search.ts';
import { isFramed } from './framed.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { day, parseSearch, stringifySearch, text, time } from './search.ts';

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

type Search = Record<string, unknown>;
type EditorSearch = { step?: string | undefined };

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next, again }: Search): { next?: string | undefined; again?: string | undefined } => ({
    next: text(next),
    again: text(again),
  }),
}).lazy(() => import('../session/sign-in-page.tsx').then(({ Route }) => Route));

const signInBack = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/back',
}).lazy(() => import('../session/callback-page.tsx').then(({ Route }) => Route));

const calendar = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  validateSearch: readCalendarSearch,
}).lazy(() => import('../calendar/page.tsx').then(({ Route }) => Route));

const create = createRoute({
  getParentRoute: () => signedIn,
  path: '/events/new',
  validateSearch: (given: Search): EditorSearch & Slot & { draft?: string | undefined } => ({
    step: text(given.step),
    draft: text(given.draft),
    date: day(given.date),
    until: day(given.until),
    start: time(given.start),
    end: time(given.end),
  }),
}).lazy(() => import('../editor/page.tsx').then(({ NewRoute }) => NewRoute));
const copy = createRoute({ getParentRoute: () => signedIn, path: '/events/copy' }).lazy(() =>
  import('../copy/page.tsx').then(({ Route }) => Route),
);
const event = createRoute({
  getParentRoute: () => signedIn,
  path: '/events/$id',
  validateSearch: ({ check_in }: Search): { check_in?: string | undefined } => ({ check_in: text(check_in) }),
}).lazy(() => import('../event/page.tsx').then(({ Route }) => Route));
const edit = createRoute({
  getParentRoute: () => signedIn,
  path: '/events/$id/edit',
  validateSearch: ({ step }: Search): EditorSearch => ({ step: text(step) }),
}).lazy(() => import('../editor/page.tsx').then(({ EditRoute }) => EditRoute));
const registrations = createRoute({
  getParentRoute: () => signedIn,
  path: '/events/$id/registrations',
  validateSearch: readRosterSearch,
}).lazy(() => import('../registrations/page.tsx').then(({ Route }) => Route));
const messages = createRoute({ getParentRoute: () => signedIn, path: '/messages' }).lazy(() =>
  import('../messages/page.tsx').then(({ Route }) => Route),
);
const newMessage = createRoute({ getParentRoute: () => signedIn, path: '/messages/new' }).lazy(() =>
  import('../messages/write-page.tsx').then(({ Route }) => Route),
);
const savedTexts = createRoute({ getParentRoute: () => signedIn, path: '/messages/texts' }).lazy(() =>
  import('../messages/texts-page.tsx').then(({ Route }) => Route),
);
const message = createRoute({ getParentRoute: () => signedIn, path: '/messages/$id' }).lazy(() =>
  import('../messages/message-page.tsx').then(({ Route }) => Route),
);
const calls = createRoute({ getParentRoute: () => signedIn, path: '/calls/$kind/$id' }).lazy(() =>
  import('../acknowledgements/page.tsx').then(({ Route }) => Route),
);
const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  validateSearch: readPeopleSearch,
}).lazy(() => import('../people/page.tsx').then(({ Route }) => Route));
const person = createRoute({ getParentRoute: () => signedIn, path: '/people/$id' }).lazy(() =>
  import('../people/person-page.tsx').then(({ Route }) => Route),
);
const importPeople = createRoute({ getParentRoute: () => signedIn, path: '/people/import' }).lazy(() =>
  import('../people/import-page.tsx').then(({ Route }) => Route),
);
const statistics = createRoute({
  getParentRoute: () => signedIn,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
}).lazy(() => import('../statistics/page.tsx').then(({ Route }) => Route));
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readInboxSearch,
}).lazy(() => import('../inbox/page.tsx').then(({ Route }) => Route));
const settings = createRoute({ getParentRoute: () => signedIn, path: '/settings' }).lazy(() =>
  import('../settings/page.tsx').then(({ Route }) => Route),
);
const school = createRoute({ getParentRoute: () => signedIn, path: '/school' }).lazy(() =>
  import('../school/page.tsx').then(({ Route }) => Route),
);
const ops = createRoute({
  getParentRoute: () => signedIn,
  path: '/ops',
  validateSearch: readOpsSearch,
}).lazy(() => import('../ops/page.tsx').then(({ Route }) => Route));

const visitors = createRoute({
  getParentRoute: () => root,
  path: '/public/$school',
  validateSearch: readVisitorsSearch,
}).lazy(() => import('../visitors/page.tsx').then(({ Route }) => Route));

const embedded = createRoute({
  getParentRoute: () => root,
  path: '/embed/$school',
  validateSearch: readVisitorsSearch,
}).lazy(() => import('../visitors/page.tsx').then(({ EmbeddedRoute }) => EmbeddedRoute));

const ofEvents = [calendar, create, copy, event, edit, registrations];
const ofPeople = [people, importPeople, person];
const ofMessages = [messages, newMessage, savedTexts, message, calls];
const pages = [...ofEvents, ...ofMessages, ...ofPeople, statistics, inbox, settings, school, ops];

/** The pages by URL; each loads its script on first use. */
export const router = createRouter({
  routeTree: root.addChildren([home, signIn, signInBack, visitors, embedded, signedIn.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ({ error, reset }) => (
    <div className="mx-auto max-w-xl px-4">
      <ErrorMessage error={error} onRetry={reset} />
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
