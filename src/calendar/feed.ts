import { createHash, randomBytes } from 'node:crypto';
import { notFound, orNotFound } from '../core/errors.ts';
import { addDays, dayOf, daysOf } from '../core/zoned-time.ts';
import { inLanguage, type SchoolEvent } from '../events/event.ts';
import { type FamilyDeps, removeHiddenLinks } from '../events/find-confirmed.ts';
import type { EventPage, ReadingDeps } from '../events/ports.ts';
import { type Caller, type Groups, groupsOf, type Scope, scopeOf } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import type { ContactStore } from '../people/ports.ts';
import type { PreferenceStore } from '../people/preferences.ts';
import type { School } from '../people/school.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';
import { FILE_FIELDS, type ReadFileEvents } from './calendar-file.ts';
import { OFF_STATES, statusOf } from './ics.ts';

/**
 * A person's calendar subscription at a secret address. Stores roles and groups of the token that created it, for people who
 * are not in the directory; for others every read uses the directory. Stores no permissions, so a leaked address shows only
 * what the person may see as a member of the school, and never drafts.
 */
export type Feed = Scope &
  Groups & {
    user_id: string;
    /** hash of the token; the token itself is not stored */
    digest: string;
    /** whom only the token named */
    children: readonly string[];
    /** whether the person was in the directory; the feed ends when they are removed from it */
    in_directory: boolean;
    created_at: Date;
  };

const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export type FeedStore = {
  find(hash: string): Promise<Feed | null>;
  findOfPerson(scope: Scope, user_id: string): Promise<Feed | null>;
  /** Replaces the person's feed, whose old address stops working. */
  put(feed: Feed): Promise<void>;
  remove(scope: Scope, user_id: string): Promise<boolean>;
};

type FeedDeps = ReadingDeps & {
  feeds: FeedStore;
  contacts: Pick<ContactStore, 'find'>;
  preferences: PreferenceStore;
  /** Adds a caller's children. */
  completeCaller(caller: Caller): Promise<Caller>;
};

const DAYS_BACK = 90;
const DAYS_AHEAD = 400;
const EVENTS_MAX = 2000;
const PAGE = 100;

type CalendarFeed = { school: School; events: ReadFileEvents };

type CalendarDeps = ReadingDeps & FamilyDeps;

/**
 * Creates the caller's calendar address; an older one stops working. Only this call returns the token.
 */
export async function createFeed(deps: FeedDeps, caller: Caller): Promise<{ token: string; feed: Feed }> {
  const token = randomBytes(32).toString('base64url');
  const { user_id, known_children = [] } = caller;
  const children = known_children.flatMap((child) => (child.only_in_token ? child.user_id : []));
  const in_directory = (await deps.contacts.find(caller, user_id)) !== null;
  const who = { ...scopeOf(caller), ...groupsOf(caller), user_id, children, in_directory };
  const feed = { ...who, digest: hashOfToken(token), created_at: deps.clock.now() };
  await deps.feeds.put(feed);
  return { token, feed };
}

/**
 * Loads a person's calendar by its token. Reads only.
 * @throws Refused `not_found` for a revoked or unknown token, or if the person was removed from the directory
 */
export async function readFeed(deps: FeedDeps & CalendarDeps, token: string): Promise<CalendarFeed> {
  const feed = orNotFound(await deps.feeds.find(hashOfToken(token)));
  const [contact, preferences, school] = await Promise.all([
    deps.contacts.find(feed, feed.user_id),
    deps.preferences.find(feed, feed.user_id),
    deps.schools.find(feed),
  ]);
  if (contact ? contact.left_at : feed.in_directory) throw notFound();
  const person = { ...feed, ...(contact && { ...groupsOf(contact), children: [] }) };
  const viewer = await deps.completeCaller({ ...person, permissions: [] });
  return eventsAround(deps, viewer, school, preferences?.locale ?? contact?.locale ?? school.locale);
}

/**
 * Loads the events that a viewer may see, from three months ago to 400 days ahead, with meeting links only if the viewer may
 * see them. Each call of `events` reads the database again, in batches.
 * @param school that of the viewer
 * @param locale the language of titles and descriptions; null: as written
 */
export function eventsAround(deps: CalendarDeps, viewer: Viewer, school: School, locale: Locale | null): CalendarFeed {
  const today = dayOf(deps.clock.now(), school.timezone);
  const during = daysOf(addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD), school.timezone);
  const filters = [{ during, without_drafts: true } as const];
  async function* events() {
    let after: EventPage['after'] = null;
    for (let left = EVENTS_MAX; left > 0; ) {
      const page: EventPage = { after, limit: Math.min(PAGE, left) };
      const { events, has_more } = await deps.eventReader.findPage(visibleTo(viewer), filters, FILE_FIELDS, page);
      const shown = await removeHiddenLinks(deps, viewer, events);
      yield shown.map((event) => titledByState(inLanguage(event, locale), locale ?? school.locale));
      const last = events.at(-1);
      if (!has_more || !last) return;
      left -= events.length;
      after = { at: last.starts_at, id: last.id };
    }
  }
  return { school, events };
}

/** Says in the title that an event does not take place: Outlook and calendars on websites show nothing of its STATUS. */
export function titledByState<E extends Pick<SchoolEvent, 'status' | 'postponed_to' | 'title'>>(
  event: E,
  locale: Locale,
): E {
  if (statusOf(event) !== 'CANCELLED') return event;
  return { ...event, title: `${OFF_STATES[event.status]?.[locale]}: ${event.title}` };
}
