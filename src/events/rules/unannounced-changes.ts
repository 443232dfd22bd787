import type { Place } from '../../outbox/fact.ts';
import type { SchoolEvent, UnannouncedChange } from '../event.ts';
import { canonical } from './merge.ts';
import { scheduleOf } from './schedule.ts';

/** A notice goes out when nobody has edited time or place for so long … */
const QUIET_MS = 2 * 60_000;
/** … and at the latest so long after the first edit. */
const LATEST_MS = 10 * 60_000;

/** What people go by to come to the right place; a capacity or a map link corrected is not another place. */
export function placeOf({ location_name, location }: Pick<SchoolEvent, 'location_name' | 'location'>): string {
  const { name, address, room, building, isVirtual, virtualLink } = location ?? {};
  return canonical({ location_name, name, address, room, building, isVirtual: isVirtual ?? false, virtualLink });
}

const whereOf = ({ location_name, location }: SchoolEvent): Place => ({ location_name, location });

/** For a fact: where people believe the event to be, if it is another place now. */
export const previousPlace = (untold: UnannouncedChange | null, after: SchoolEvent): { previous_place?: Place } =>
  untold?.where && untold.place !== placeOf(after) ? { previous_place: untold.where } : {};

/** The change people have not been told of yet and that another one still joins, if any. */
export const openChange = (event: SchoolEvent, now: Date): UnannouncedChange | null =>
  event.untold_change !== null && now < event.untold_change.tell_at ? event.untold_change : null;

/**
 * Where an edit brings back what people know before anybody was told of another time or place: that one, for whoever
 * heard of the event meanwhile. They are told at once.
 */
export function undoneBy(before: SchoolEvent, now: Date): UnannouncedChange | null {
  const open = openChange(before, now);
  const between = { schedule: scheduleOf(before), place: placeOf(before), where: whereOf(before) };
  return open && { since: open.since, ...between, tell_at: now };
}

/**
 * What people are to be told after an edit of time or place (decisions.md, "editing": within two minutes one notice).
 * It speaks of what they last knew. Null where they know all there is: the edit undid what was not told yet.
 */
export function unannouncedAfter(
  before: SchoolEvent,
  after: SchoolEvent,
  now: Date,
  notify: boolean | null = null,
): UnannouncedChange | null {
  const open = openChange(before, now);
  const first: Omit<UnannouncedChange, 'tell_at'> = open ?? {
    since: now,
    schedule: scheduleOf(before),
    place: placeOf(before),
    where: whereOf(before),
  };
  if (canonical(first.schedule) === canonical(scheduleOf(after)) && first.place === placeOf(after)) return null;
  const tell_at = new Date(Math.min(now.getTime() + QUIET_MS, first.since.getTime() + LATEST_MS));
  const asked = open ? notifyOfBoth(open.notify ?? null, notify) : notify;
  return { ...first, tell_at, ...(asked === null && first.notify === undefined ? {} : { notify: asked }) };
}

/** A notice that is on its way takes along what was not worth one; one that was not worth one is told with another. */
const notifyOfBoth = (first: boolean | null, second: boolean | null): boolean | null =>
  second === false ? first : (second ?? (first === false ? null : first));
