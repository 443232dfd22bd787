import type { Static } from 'typebox';
import { type FieldFault, fault } from '../../core/errors.ts';
import { clock, date, flag, instant, nullable, optional, strict, text } from '../../core/schema.ts';
import { addDays, daysBetween } from '../../core/zoned-time.ts';
import type { NewFact } from '../../outbox/fact.ts';
import { type Actor, scopeOf } from '../../people/caller.ts';
import type { Change, Changed } from '../apply-plan.ts';
import type { SchoolEvent } from '../event.ts';
import { LIMITS } from '../limits.ts';
import { slotsRefusal } from './edits.ts';
import { deadlineShifted, instantsOf, movedTo, scheduleOf } from './schedule.ts';
import { slotFaults } from './slots.ts';
import { cancellation, postponement, publication, unpublication } from './unannounced-changes.ts';
import { registrationFaults, scheduleFaults, senseFaults } from './validation.ts';

/** The parameter of changes that notify people; an edit has it in its query, because its body contains the fields of the event. */
export const NOTIFY = { notify: flag('Overrides `send_notifications` of the event for this change.') };

const reason = text(LIMITS.reason, { minLength: 1 });

export const CANCEL = strict({ reason, ...NOTIFY }, { examples: [{ reason: 'The hall is flooded.' }] });

export const POSTPONE = strict(
  {
    new_start_date: nullable({
      ...date,
      description:
        'The new start date, in the future. Null if you don’t know it yet: the dates and times stay, and no others can be set.',
    }),
    new_end_date: optional(nullable(date)),
    new_start_time: optional(nullable(clock)),
    new_end_time: optional(nullable(clock)),
    new_registration_deadline: optional(
      nullable({ ...instant, description: 'Without it, the deadline moves by as many days as the start.' }),
    ),
    reason,
    ...NOTIFY,
  },
  { examples: [{ new_start_date: '2026-11-06', reason: 'The conductor is ill.' }] },
);

export type PostponeInput = Static<typeof POSTPONE>;

/** A move of the state table with its input; `refusalOf` decides whether it is possible. */
export type Move =
  | { action: 'publish' }
  | { action: 'unpublish' }
  | { action: 'cancel'; input: Static<typeof CANCEL> }
  | { action: 'postpone'; input: PostponeInput }
  | { action: 'start' }
  | { action: 'complete' }
  | { action: 'schedule'; publish_at: Date | null }
  | { action: 'return'; to?: 'draft' | 'scheduled' }
  | { action: 'delete' };

/** A move of one occurrence for another one: the new dates and deadlines of a postponement are as many days apart as the old dates. */
export function moveFor(sibling: SchoolEvent, event: SchoolEvent, move: Move): Move {
  if (move.action !== 'postpone') return move;
  const { new_start_date, new_end_date, new_registration_deadline, ...input } = move.input;
  const days = daysBetween(event.start_date, sibling.start_date);
  const start = { new_start_date: new_start_date && addDays(new_start_date, days) };
  const end = new_end_date ? { new_end_date: addDays(new_end_date, days) } : {};
  const registration_deadline = new_registration_deadline ?? null;
  const deadline = { new_registration_deadline: deadlineShifted({ ...event, registration_deadline }, days) };
  return { ...move, input: { ...input, ...start, ...end, ...deadline } };
}

/** The event after a move, with its facts; the use case stores them together. */
export function moved(event: SchoolEvent, move: Move, actor: Actor, now: Date): Changed {
  const touched = { ...event, updated_at: now, version: event.version + 1 };
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: now, actor };
  const change = (after: SchoolEvent, ...facts: NewFact[]): Change => ({ before: event, after, facts });
  switch (move.action) {
    case 'publish': {
      const faults = registrationFaults(event);
      if (faults.length > 0) return { faults };
      const next: SchoolEvent = {
        ...touched,
        status: 'published',
        published_at: now,
        publish_at: null,
        sequence: event.sequence + 1,
      };
      return change(next, { ...head, type: 'event.published', data: publication(event, next) });
    }
    case 'unpublish':
      return change(
        { ...touched, status: 'draft', published_at: null },
        { ...head, type: 'event.unpublished', data: unpublication(event, now) },
      );
    case 'cancel': {
      const { reason, notify } = move.input;
      const next: SchoolEvent = {
        ...touched,
        status: 'cancelled',
        cancelled_at: now,
        cancellation_reason: reason,
        publish_at: null,
        sequence: event.sequence + 1,
      };
      const data = cancellation(event, next, now, notify);
      return change(next, { ...head, type: 'event.cancelled', data });
    }
    case 'postpone':
      return postponed(event, touched, move.input, head);
    case 'schedule': {
      const faults = registrationFaults(event);
      if (faults.length > 0) return { faults };
      const { publish_at } = move;
      return change(
        { ...touched, status: 'scheduled', publish_at },
        { ...head, type: 'event.scheduled', data: { publish_at: publish_at?.toISOString() ?? null } },
      );
    }
    case 'return': {
      // `postponed_to` is null while the new date is not known.
      const isAhead = event.postponed_to !== null && event.starts_at > now;
      const to = move.to ?? (isAhead ? 'scheduled' : 'draft');
      const faults = to === 'scheduled' ? registrationFaults(event) : [];
      if (faults.length > 0) return { faults };
      return change({ ...touched, status: to }, { ...head, type: 'event.returned', data: { to } });
    }
    case 'delete':
      return change({ ...touched, deleted_at: now, publish_at: null }, { ...head, type: 'event.deleted', data: {} });
    case 'start':
      return change(
        { ...touched, status: 'in_progress' },
        { ...head, type: 'event.started', data: { schedule_version: event.schedule_version } },
      );
    case 'complete':
      return change({ ...touched, status: 'completed' }, { ...head, type: 'event.completed', data: {} });
  }
}

function postponed(
  event: SchoolEvent,
  touched: SchoolEvent,
  input: PostponeInput,
  head: Omit<NewFact<'event.postponed'>, 'type' | 'data'>,
): Changed {
  const { new_start_date, reason, notify } = input;
  const other = (['new_end_date', 'new_start_time', 'new_end_time'] as const).find((name) => input[name]);
  if (new_start_date === null && other)
    return { faults: [fault('/new_start_date', `is required when ${other} is set`, 'required')] };
  const schedule =
    new_start_date === null ? scheduleOf(event) : movedTo(scheduleOf(event), { ...input, new_start_date });
  const shifted = deadlineShifted(event, daysBetween(event.start_date, schedule.start_date));
  const planned = { ...event, ...schedule, registration_deadline: input.new_registration_deadline ?? shifted };
  const faults = postponementFaults(event, planned, new_start_date === null ? null : touched.updated_at);
  if (faults.length > 0) return { faults };
  const instants = instantsOf(schedule);
  const refusal = slotsRefusal(event, { ...planned, ...instants });
  if (refusal) return { refusal };
  const next: SchoolEvent = {
    ...touched,
    ...schedule,
    ...instants,
    registration_deadline: planned.registration_deadline,
    status: 'postponed',
    postponed_to: new_start_date === null ? null : instants.starts_at,
    postponement_reason: reason,
    publish_at: null,
    sequence: event.sequence + 1,
    schedule_version: event.schedule_version + 1,
    change_version: event.change_version + 1,
    untold_change: null,
  };
  const data = postponement(event, next, touched.updated_at, notify);
  return { before: event, after: next, facts: [{ ...head, type: 'event.postponed', data }] };
}

/** A fault by the field names of a postponement: the rules know those of an event. */
const namedAsNew = ({ pointer, message, rule }: FieldFault): FieldFault =>
  fault(pointer.replace('/', '/new_'), message.replace(/\bstart_date\b/, 'new_start_date'), rule);

/** @param now null: the new date is not known, so the old one stays, even if it has passed */
function postponementFaults(event: SchoolEvent, planned: SchoolEvent, now: Date | null): FieldFault[] {
  const faults = scheduleFaults(planned);
  if (faults.length > 0) return faults.map(namedAsNew);
  if (now && instantsOf(planned).starts_at <= now) return [fault('/new_start_date', 'must be in the future', 'future')];
  return [...senseFaults(planned, event).map(namedAsNew), ...slotFaults(planned)];
}
