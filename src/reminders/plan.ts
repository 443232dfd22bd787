import { digestOf } from '../core/ids.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Scope } from '../people/caller.ts';

/**
 * planned → raised, or expired where nobody could raise it in time; past_due: its time had passed when it was planned;
 * dropped: planned, and then not wanted any more.
 */
export const PLAN_STATUSES = ['planned', 'raised', 'past_due', 'expired', 'dropped'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

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
  /** from when it is useless: the start of the event (decisions.md, "too late") */
  expires_at: Date;
  status: PlanStatus;
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
  const plan = event.reminders.map(({ type, offset }): PlannedReminder => {
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
      expires_at: event.starts_at,
      status: due_at <= now ? 'past_due' : 'planned',
    };
  });
  // The same reminder named twice is one.
  return [...new Map(plan.map((reminder) => [reminder.id, reminder])).values()];
}
