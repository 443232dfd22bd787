import { hashOf } from '../../core/ids.ts';
import { canonical, pick } from '../../core/objects.ts';
import type { FactData, Place, Schedule } from '../../outbox/fact.ts';
import { placeName, type SchoolEvent, type UnannouncedChange } from '../event.ts';
import { scheduleOf } from './schedule.ts';

/** A notice is sent when nothing has changed again for this long … */
const DEBOUNCE_MS = 2 * 60_000;
/** … and at the latest this long after the first edit. */
const MAX_DELAY_MS = 10 * 60_000;

/** For a fact: the publication that ends, and when registered people are notified unless the event is published again. */
export const unpublication = ({ sequence }: SchoolEvent, now: Date): { sequence: number; tell_at: Date } => ({
  sequence,
  tell_at: new Date(now.getTime() + DEBOUNCE_MS),
});

/** The canonical form of a place as people know it: one name, whichever field has it, and neither capacity nor map link. */
export function placeOf(event: Pick<SchoolEvent, 'location_name' | 'location'>): string {
  const { address, room, building, isVirtual = false, virtualLink } = event.location ?? {};
  return canonical({ location_name: placeName(event), address, room, building, isVirtual, virtualLink });
}

/** Whether an event has this schedule, and this place in its canonical form. */
export const hasState = (event: SchoolEvent, schedule: Schedule, place: string): boolean =>
  canonical(schedule) === canonical(scheduleOf(event)) && place === placeOf(event);

/** A hash of the date and place in announcements of an event. */
export const announcedState = (event: SchoolEvent): string => hashOf(canonical([scheduleOf(event), placeOf(event)]));

/** The data of the fact of a publication: the announced state, and whether registered people were notified of a pause before. */
export const publication = (before: SchoolEvent | null, after: SchoolEvent): FactData['event.published'] => ({
  ...pick(after, ['sequence', 'schedule_version']),
  ...(before?.status === 'postponed'
    ? { after_postponement: true as const }
    : before && before.current_attendees + before.waitlisted > 0 && { after_unpublishing: true as const }),
  says: announcedState(after),
});

/** The schedule and the place of an event, as its announcement gave them. */
export const knownState = (event: SchoolEvent) => ({
  schedule: scheduleOf(event),
  place: placeOf(event),
  where: pick(event, ['location_name', 'location']),
});

/** The data of the fact of a postponement. A change that was not announced yet is announced together with it. */
export function postponement(
  before: SchoolEvent | null,
  after: SchoolEvent,
  now: Date,
  notify: boolean | null = null,
): FactData['event.postponed'] {
  const pending = before && pendingChange(before, now);
  const known = pending ?? (before && knownState(before));
  return {
    ...pick(after, ['sequence', 'schedule_version', 'change_version']),
    reason: after.postponement_reason ?? '',
    previous: known?.schedule ?? scheduleOf(after),
    ...previousPlace(known, after),
    ...(pending ? { changed_at: pending.since } : {}),
    date_known: after.postponed_to !== null,
    notify,
  };
}

/** The data of the fact of a cancellation. Readers know the date and place before a change that was not announced yet. */
export function cancellation(
  before: SchoolEvent | null,
  after: SchoolEvent,
  now: Date,
  notify: boolean | null = null,
): FactData['event.cancelled'] {
  const pending = before && pendingChange(before, now);
  const unannounced = pending && {
    previous: pending.schedule,
    ...previousPlace(pending, after),
    changed_at: pending.since,
  };
  return { sequence: after.sequence, reason: after.cancellation_reason ?? '', notify, ...unannounced };
}

/** For a fact: the last announced place, if the place has changed. */
export const previousPlace = (
  known: Pick<UnannouncedChange, 'place' | 'where'> | null,
  after: SchoolEvent,
): { previous_place?: Place } => (known && known.place !== placeOf(after) ? { previous_place: known.where } : {});

/** The unannounced change that further edits still join, if any. */
export const pendingChange = (event: SchoolEvent, now: Date): UnannouncedChange | null =>
  event.untold_change !== null && now < event.untold_change.tell_at ? event.untold_change : null;

/**
 * The unannounced change of an edit that takes the last one back. People who learned of the event in between know a date or
 * place that is no longer true, so they are notified without delay.
 */
export function revertedChange(before: SchoolEvent, now: Date): UnannouncedChange | null {
  const pending = pendingChange(before, now);
  return pending && { since: pending.since, ...knownState(before), tell_at: now };
}

/**
 * The unannounced change after an edit of time or place (docs/decisions.md, "Which edits notify people?"). Null if the edit
 * reverts to what people know.
 */
export function unannouncedAfter(
  before: SchoolEvent,
  after: SchoolEvent,
  now: Date,
  notify: boolean | null = null,
): UnannouncedChange | null {
  const pending = pendingChange(before, now);
  const first: Omit<UnannouncedChange, 'tell_at'> = pending ?? { since: now, ...knownState(before), notify: false };
  if (hasState(after, first.schedule, first.place)) return null;
  const tell_at = new Date(Math.min(now.getTime() + DEBOUNCE_MS, first.since.getTime() + MAX_DELAY_MS));
  return { ...first, tell_at, notify: notifyOfBoth(first.notify ?? null, notify) };
}

/** The `notify` of two joined edits: an edit without a notice joins the notice of the other. */
const notifyOfBoth = (first: boolean | null, second: boolean | null): boolean | null =>
  second === false ? first : (second ?? (first === false ? null : first));
