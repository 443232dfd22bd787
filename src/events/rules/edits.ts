import type { Refusal } from '../../core/errors.ts';
import { pick } from '../../core/objects.ts';
import { addDays, daysBetween } from '../../core/zoned-time.ts';
import type { NewFact } from '../../outbox/fact.ts';
import { type Actor, scopeOf } from '../../people/caller.ts';
import { type Changed, unchanged } from '../apply-plan.ts';
import type { SchoolEvent } from '../event.ts';
import type { FieldName } from '../event-fields.ts';
import { changedFields, type EventPatch, merged } from './merge.ts';
import { deadlineShifted, instantsOf, SCHEDULE_FIELDS } from './schedule.ts';
import { placeInSeries } from './series.ts';
import { takesSlotsAway } from './slots.ts';
import { pendingChange, placeOf, previousPlace, revertedChange, unannouncedAfter } from './unannounced-changes.ts';
import { faultsOf, senseFaults } from './validation.ts';

/**
 * The event after an edit (docs/decisions.md, "Which edits notify people?"). A new time or place of a published event is
 * announced (`event.changed`); other changes are only recorded (`event.edited`); an edit that changes nothing records nothing.
 * @param notify overrides the event's `send_notifications` for this one notice
 */
export function edited(
  event: SchoolEvent,
  patch: EventPatch,
  actor: Actor,
  now: Date,
  notify: boolean | null = null,
): Changed {
  const wanted = merged(event, patch);
  const fields = changedFields(event, wanted);
  if (fields.length === 0) return unchanged(event);
  const faults = [...faultsOf(wanted, event), ...senseFaults(wanted, event)];
  if (faults.length > 0) return { faults };
  const moves = SCHEDULE_FIELDS.some((name) => fields.includes(name));
  const isAnnounced = event.status === 'published' && (moves || placeOf(event) !== placeOf(wanted));
  const instants = instantsOf(wanted);
  const isDateKnown = event.postponed_to !== null || wanted.start_date !== event.start_date;
  const refusal = capacityRefusal(event, wanted) ?? slotsRefusal(event, { ...wanted, ...instants });
  if (refusal) return { refusal };
  const after: SchoolEvent = {
    ...wanted,
    ...instants,
    ...(event.occurrence_date === null && wanted.is_recurring ? placeInSeries(wanted.start_date, wanted) : {}),
    // Another time of the old day does not tell a new date.
    postponed_to: event.status === 'postponed' && isDateKnown ? instants.starts_at : event.postponed_to,
    updated_at: now,
    version: event.version + 1,
    schedule_version: event.schedule_version + (moves ? 1 : 0),
  };
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: now, actor };
  if (!isAnnounced) return { before: event, after, facts: [{ ...head, type: 'event.edited', data: { fields } }] };
  return { before: event, ...withChangeNotice(event, after, { fields, head, now, notify }) };
}

/**
 * The event and the fact of a new time or place of a published event. If an edit reverts an unannounced change, only people
 * who learned of the event since that change are notified.
 */
export function withChangeNotice(
  before: SchoolEvent,
  edit: SchoolEvent,
  how: { fields: string[]; head: Omit<NewFact, 'type' | 'data'>; now: Date; notify?: boolean | null },
): { after: SchoolEvent; facts: NewFact[] } {
  const { fields, head, now, notify = null } = how;
  const unannounced = unannouncedAfter(before, edit, now, notify);
  // An earlier notice may still wait for the end of quiet hours, and no later one replaces it.
  const isSilent = (unannounced ?? pendingChange(before, now))?.notify === false;
  const after: SchoolEvent = {
    ...edit,
    sequence: edit.sequence + 1,
    change_version: edit.change_version + (isSilent ? 0 : 1),
    untold_change: unannounced,
  };
  const reverted = unannounced ? null : revertedChange(before, now);
  const change = unannounced ?? reverted;
  if (!change) return { after, facts: [{ ...head, type: 'event.edited', data: { fields } }] };
  const data = {
    ...pick(after, ['sequence', 'schedule_version', 'change_version']),
    fields,
    previous: change.schedule,
    ...previousPlace(change, after),
    changed_at: change.since,
    tell_at: change.tell_at,
    ...(reverted ? { told_since: reverted.since } : {}),
  };
  const wanted = reverted ? notify : (change.notify ?? null);
  return {
    after,
    facts: [{ ...head, type: 'event.changed', data: wanted === null ? data : { ...data, notify: wanted } }],
  };
}

/** Fields that change together: an occurrence that was moved by itself keeps both of its dates. */
const TOGETHER: readonly (readonly FieldName[])[] = [['start_date', 'end_date']];

/**
 * Translates the patch of one occurrence to another: dates move by as many days, the deadline keeps its distance to the
 * start, and all other fields are the same. Fields that the other overrides are left out.
 */
export function patchFor(
  sibling: SchoolEvent,
  { before, after }: { before: SchoolEvent; after: SchoolEvent },
  patch: EventPatch,
): { patch: EventPatch; left_out: FieldName[] } {
  const fitted: EventPatch = { ...patch };
  if (patch.start_date !== undefined || patch.end_date !== undefined) {
    const start = addDays(sibling.start_date, daysBetween(before.start_date, after.start_date));
    fitted.start_date = start;
    fitted.end_date = addDays(start, daysBetween(after.start_date, after.end_date));
  }
  const own = new Set(sibling.overrides.flatMap((name) => TOGETHER.find((group) => group.includes(name)) ?? name));
  const left_out = (Object.keys(fitted) as FieldName[]).filter((name) => own.has(name));
  for (const name of left_out) delete fitted[name];
  if (fitted.registration_deadline !== undefined) {
    const start = (fitted.start_date as string | undefined) ?? sibling.start_date;
    fitted.registration_deadline = deadlineShifted(after, daysBetween(after.start_date, start));
  }
  return { patch: fitted, left_out };
}

export const slotsRefusal = (before: SchoolEvent, after: SchoolEvent): Refusal | null =>
  takesSlotsAway(before, after)
    ? {
        code: 'slots_in_use',
        detail: 'Families have chosen times. Only add times or teachers, or cancel registrations first.',
      }
    : null;

function capacityRefusal(before: SchoolEvent, { max_attendees }: SchoolEvent): Refusal | null {
  if (max_attendees === null || max_attendees === before.max_attendees) return null;
  if (max_attendees >= before.current_attendees) return null;
  return {
    code: 'capacity_below_occupied',
    detail: `Seats taken: ${before.current_attendees}. Choose at least this capacity, or cancel registrations first.`,
    extra: { current_attendees: before.current_attendees },
  };
}
