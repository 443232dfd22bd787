import { createRootRoute, createRoute, createRouter, LazyRoute, notFound, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Slot } from '../calendar/grid/slot.ts';
import { readCalendarSearch } from '../calendar/search.ts';
import type { OpsSearch } from '../ops/queries.ts';
import { ErrorMessage, NotFound } from '../parts/page.tsx';
import type { RosterSearch } from '../registrations/data.ts';
import { renewSession } from '../session/renew.ts';
import { currentToken } from '../session/session.ts';
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
    const session = currentToken();
    if (session && !isOver(session)) return;
    if (!session || !(await renewSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

type Read<Search> = (given: Record<string, unknown>) => Search;
const readNothing: Read<object> = () => ({});
const readVisitors: Read<{ date?: string; event?: string }> = ({ date, event }) => ({
  date: day(date),
  event: text(event),
});
const readRoster = texts('status', 'kind', 'q') as Read<RosterSearch>;
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
const readDraft = (given: Record<string, unknown>): ReturnType<typeof readForm> & Slot => ({
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

/** A page that everyone may open. @param read reads its part of the URL */
const open = <Path extends string, Search = object>(path: Path, read = readNothing as Read<Search>) =>
  createRoute({ getParentRoute: () => root, path, validateSearch: only(read) });
/** A page that needs a signed-in user. */
const own = <Path extends string, Search = object>(path: Path, read = readNothing as Read<Search>) =>
  createRoute({ getParentRoute: () => signedIn, path, validateSearch: only(read) });
type Script = { default: (props: object) => ReactNode };
/** The page in a script; its route is known already, so the id is not used. */
const pageIn = ({ default: component }: Script) => new LazyRoute({ id: '', component }) as never;
/** The page in a script, once its texts are there too. */
const found = (script: Promise<Script>) => withOtherTexts(script).then(pageIn);

const signIn = open('/sign-in', texts('next', 'again')).lazy(() => found(import('../session/sign-in-page.tsx')));
// Keeps what the identity provider adds to the URL.
const signInBack = createRoute({ getParentRoute: () => root, path: '/sign-in/back' }).lazy(() =>
  found(import('../session/callback-page.tsx')),
);
const visitors = open('/public/$school', readVisitors).lazy(() => found(import('../visitors/page.tsx')));
const embedded = open('/embed/$school', readVisitors).lazy(() =>
  found(import('../visitors/page.tsx').then(({ EmbeddedPage }) => ({ default: EmbeddedPage }))),
);

const calendar = own('/events', readCalendarSearch).lazy(() => import('../calendar/page.tsx').then(pageIn));
const create = own('/events/new', readDraft).lazy(() =>
  found(import('../editor/page.tsx').then(({ NewEventPage }) => ({ default: NewEventPage }))),
);
const copy = own('/events/copy').lazy(() => found(import('../copy/page.tsx')));
const event = own('/events/$id', texts('check_in')).lazy(() => found(import('../event/page.tsx')));
const edit = own('/events/$id/edit', texts('step')).lazy(() => found(import('../editor/page.tsx')));
const registrations = own('/events/$id/registrations', readRoster).lazy(() =>
  found(import('../registrations/page.tsx')),
);
const meetings = own('/events/$id/meetings').lazy(() => found(import('../registrations/meetings-page.tsx')));

const messages = own('/messages').lazy(() => found(import('../messages/page.tsx')));
const newMessage = own('/messages/new').lazy(() => found(import('../messages/write-page.tsx')));
const savedTexts = own('/messages/texts').lazy(() => found(import('../messages/texts-page.tsx')));
const message = own('/messages/$id').lazy(() => found(import('../messages/message-page.tsx')));
const calls = own('/calls/$kind/$id').lazy(() => found(import('../acknowledgements/page.tsx')));

const people = own('/people', readPeople).lazy(() => found(import('../people/page.tsx')));
const person = own('/people/$id').lazy(() => found(import('../people/person-page.tsx')));
const importPeople = own('/people/import').lazy(() => found(import('../people/import-page.tsx')));

const statistics = own('/statistics', readStatistics).lazy(() => found(import('../statistics/page.tsx')));
const inbox = own('/inbox', texts('show')).lazy(() => found(import('../inbox/page.tsx')));
const settings = own('/settings').lazy(() => found(import('../settings/page.tsx')));
const school = own('/school').lazy(() => found(import('../school/page.tsx')));
const ops = own('/ops', readOps).lazy(() => found(import('../ops/page.tsx')));

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
