import type { SchoolEvent } from '../events/event.ts';
import { digestOf } from '../kernel/ids.ts';
import type { Scope } from '../people/caller.ts';

export const PLAN_STATUSES = ['planned', 'raised', 'past_due', 'dropped'] as const;

/** One planned reminder of one event: all of its recipients together. */
export type PlannedReminder = Scope & {
  /** of event, schedule version, type and offset: planning twice plans the same rows */
  id: string;
  event_id: string;
  type: SchoolEvent['reminders'][number]['type'];
  /** minutes before the event */
  offset: number;
  schedule_version: number;
  due_at: Date;
  status: (typeof PLAN_STATUSES)[number];
};

const PLANNED_IN: readonly string[] = ['published', 'postponed'];

/**
 * The plan an event should have now: derived data, so it can be compared with what is stored at any time. A reminder
 * already past when planned is recorded as `past_due`, never sent (decisions.md). A postponement without a new date has
 * no plan.
 */
export function wantedPlan(event: SchoolEvent, now: Date): PlannedReminder[] {
  if (!PLANNED_IN.includes(event.status) || event.deleted_at !== null) return [];
  if (event.status === 'postponed' && event.postponed_to === null) return [];
  return event.reminders.map(({ type, offset }) => {
    const due_at = new Date(event.starts_at.getTime() - offset * 60_000);
    return {
      tenant_id: event.tenant_id,
      school_id: event.school_id,
      id: digestOf(event.id, event.schedule_version, type, offset),
      event_id: event.id,
      type,
      offset,
      schedule_version: event.schedule_version,
      due_at,
      status: due_at <= now ? 'past_due' : 'planned',
    };
  });
}
