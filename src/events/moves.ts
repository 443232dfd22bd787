import type { NewFact } from '../facts/fact.ts';
import type { FieldFault } from '../kernel/errors.ts';
import type { Actor } from '../people/caller.ts';
import { scopeOf } from '../people/caller.ts';
import type { SchoolEvent } from './event.ts';
import { instantsOf, movedTo, type NewDates, scheduleOf } from './schedule.ts';
import { registrationFaults, scheduleFaults } from './validation.ts';

export type CancelInput = { reason: string; notify?: boolean | undefined };
export type PostponeInput = Omit<NewDates, 'new_start_date'> & {
  /** null: not known yet */
  new_start_date: string | null;
  reason: string;
  notify?: boolean | undefined;
};

/** A move of the state table with what it needs; whether it is possible is `lifecycle`'s. */
export type Move =
  | { action: 'publish' }
  | { action: 'unpublish' }
  | { action: 'cancel'; input: CancelInput }
  | { action: 'postpone'; input: PostponeInput }
  | { action: 'start' }
  | { action: 'complete' };

export type Moved = { event: SchoolEvent; facts: NewFact[] } | { faults: FieldFault[] };

/** The event after the move, and the facts that say so (§3). Pure: storing both together is the verb's. */
export function moved(event: SchoolEvent, move: Move, actor: Actor, now: Date): Moved {
  const touched = { ...event, updated_at: now, version: event.version + 1 };
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: now, actor };
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
      const { sequence, schedule_version } = next;
      return { event: next, facts: [{ ...head, type: 'event.published', data: { sequence, schedule_version } }] };
    }
    case 'unpublish':
      return {
        event: { ...touched, status: 'draft', published_at: null },
        facts: [{ ...head, type: 'event.unpublished', data: {} }],
      };
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
      const data = { sequence: next.sequence, reason, notify: notify ?? null };
      return { event: next, facts: [{ ...head, type: 'event.cancelled', data }] };
    }
    case 'postpone':
      return postponed(event, touched, move.input, head);
    case 'start':
      return {
        event: { ...touched, status: 'in_progress' },
        facts: [{ ...head, type: 'event.started', data: { schedule_version: event.schedule_version } }],
      };
    case 'complete':
      return { event: { ...touched, status: 'completed' }, facts: [{ ...head, type: 'event.completed', data: {} }] };
  }
}

function postponed(
  event: SchoolEvent,
  touched: SchoolEvent,
  input: PostponeInput,
  head: Omit<NewFact<'event.postponed'>, 'type' | 'data'>,
): Moved {
  const { new_start_date, reason, notify } = input;
  const schedule =
    new_start_date === null ? scheduleOf(event) : movedTo(scheduleOf(event), { ...input, new_start_date });
  const faults = scheduleFaults({ ...event, ...schedule });
  if (faults.length > 0) return { faults: faults.map((f) => ({ ...f, pointer: f.pointer.replace('/', '/new_') })) };
  const instants = instantsOf(schedule);
  const next: SchoolEvent = {
    ...touched,
    ...schedule,
    ...instants,
    status: 'postponed',
    postponed_to: new_start_date === null ? null : instants.starts_at,
    postponement_reason: reason,
    publish_at: null,
    sequence: event.sequence + 1,
    schedule_version: event.schedule_version + 1,
  };
  const data = {
    sequence: next.sequence,
    schedule_version: next.schedule_version,
    reason,
    previous: scheduleOf(event),
    date_known: new_start_date !== null,
    notify: notify ?? null,
  };
  return { event: next, facts: [{ ...head, type: 'event.postponed', data }] };
}
