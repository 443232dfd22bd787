import { daysOf } from '../core/days.ts';
import { notFound } from '../core/errors.ts';
import { addDays, wallTimeOf } from '../core/zoned-time.ts';
import { withAllowedLinks } from '../events/find-confirmed.ts';
import type { ReadingDeps } from '../events/ports.ts';
import type { ConfirmedEvents } from '../events/rules/meeting.ts';
import type { Caller } from '../people/caller.ts';
import type { School } from '../people/school.ts';
import { maySee, type Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';
import { FILE_FIELDS, type ReadFileEvents } from './calendar-file.ts';
import { type Feed, feedDigestOf, feedOf, feedViewer, newFeedToken } from './feed.ts';
import type { FeedDeps } from './ports.ts';

const DAYS_BACK = 90;
const DAYS_AHEAD = 400;
const EVENTS_MAX = 2000;

/** The events of a calendar to subscribe to, and the school it is of. */
export type CalendarFeed = { school: School; events: ReadFileEvents };

type CalendarDeps = ReadingDeps & { registrations: { confirmedEvents: ConfirmedEvents } };

/**
 * Makes the caller's own calendar address; the one there was is dead from then on. The token is told once, here.
 */
export async function makeFeed(deps: FeedDeps, caller: Caller): Promise<{ token: string; feed: Feed }> {
  const token = newFeedToken();
  const contact = await deps.contacts.find(caller, caller.user_id);
  const feed = feedOf(caller, token, contact !== null, deps.clock.now());
  await deps.feeds.put(feed);
  return { token, feed };
}

/**
 * What is on a person's own calendar, by its token. Reads only.
 * @throws Refused `not_found` for a token that was revoked or never made, or whose person has left
 */
export async function readFeed(deps: FeedDeps & CalendarDeps, token: string): Promise<CalendarFeed> {
  const feed = await deps.feeds.find(feedDigestOf(token));
  if (!feed) throw notFound();
  const contact = await deps.contacts.find(feed, feed.user_id);
  const children = contact ? await deps.contacts.childrenOf(feed, [feed.user_id]) : [];
  const viewer = feedViewer(feed, contact, children);
  if (!viewer) throw notFound();
  return eventsAround(deps, viewer);
}

/**
 * Everything a viewer may see from three months back to a year ahead, the latest changes of plan included; meeting links
 * only where they are for this viewer. Each call of `events` reads the database again, in batches.
 */
export async function eventsAround(deps: CalendarDeps, viewer: Viewer): Promise<CalendarFeed> {
  const school = await deps.schools.find(viewer);
  const today = wallTimeOf(deps.clock.now(), school.timezone).date;
  const during = daysOf(addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD), school.timezone);
  const filters = [{ during, without_drafts: true } as const];
  async function* events() {
    const batches = deps.eventReader.batches(visibleTo(viewer), filters, FILE_FIELDS, { limit: EVENTS_MAX });
    for await (const batch of batches) {
      yield withAllowedLinks(
        deps,
        viewer,
        batch.filter((event) => maySee(viewer, event)),
      );
    }
  }
  return { school, events };
}
