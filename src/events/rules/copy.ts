import { addDays, daysBetween } from '../../core/zoned-time.ts';
import { type Caller, may } from '../../people/caller.ts';
import type { SchoolEvent } from '../event.ts';
import type { EventFields } from '../event-fields.ts';
import { maySeeMeetingLink, withoutLink } from '../find-confirmed.ts';
import { LIMITS } from '../limits.ts';
import { draftOf } from './defaults.ts';
import { deadlineShifted } from './schedule.ts';
import { dateOf, placeInSeries, seriesIdOf } from './series.ts';

/**
 * A new draft of the series of `like` for a date of its rule: at the same wall-clock time, as many days from this date as
 * `like` from its own, and the deadline as many days before the start.
 */
export function occurrenceOn(date: string, like: SchoolEvent, caller: Caller, now: Date): SchoolEvent {
  const days = daysBetween(dateOf(like), date);
  const fields: SchoolEvent = {
    ...like,
    start_date: addDays(like.start_date, days),
    end_date: addDays(like.end_date, days),
    registration_deadline: deadlineShifted(like, days),
  };
  const draft = draftOf(fields, caller, now);
  return { ...draft, ...placeInSeries(date, fields), parent_event_id: seriesIdOf(like) };
}

export type CopyInput = { title?: string; start_date?: string };

/**
 * A new draft with the fields of an event or template (docs/decisions.md, "What does duplicate copy?"), without registrations
 * and history, not featured. With another start date, the end, the deadline and the end of the series move by as many days.
 * The copy of a date that was moved behind the end of its series ends with its first date.
 */
export function copyOf(event: EventFields, { title, start_date }: CopyInput, caller: Caller, now: Date): SchoolEvent {
  const days = start_date === undefined ? 0 : daysBetween(event.start_date, start_date);
  const { recurrence_end_date: end } = event;
  const isBehind = end !== null && event.start_date > end;
  const fields: EventFields = {
    ...copiedBy(caller, event),
    title: title?.trim() ?? [...`Copy of ${event.title}`].slice(0, LIMITS.title).join(''),
    // They translate the old title.
    translations: title === undefined || title.trim() === event.title ? event.translations : null,
    is_featured: false,
    start_date: addDays(event.start_date, days),
    end_date: addDays(event.end_date, days),
    registration_deadline: days === 0 ? event.registration_deadline : deadlineShifted(event, days),
    recurrence_end_date: end && addDays(isBehind ? event.start_date : end, days),
  };
  return draftOf(fields, caller, now);
}

/**
 * The fields that a caller may copy. Callers who may not edit all events become the organizer, since they could neither see nor
 * edit the draft of another one. An organizer sees everything, so the copy has no more than they see of the original.
 */
function copiedBy(caller: Caller, event: EventFields): EventFields {
  if (may(caller, 'update_event')) return event;
  const copied = { ...event, organizer_id: caller.user_id, organizer: null };
  if (event.organizer_id === caller.user_id) return copied;
  const hidesLink = event.location?.virtualLink && !maySeeMeetingLink(caller, { ...event, id: '' }, new Set());
  const location = hidesLink ? { ...withoutLink(event).location, isVirtual: false } : event.location;
  return { ...copied, location, restricted_to: null };
}
