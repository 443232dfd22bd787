import { digestOf } from '../core/ids.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Scope } from '../people/caller.ts';

/**
 * planned → raised, or expired if the event began before; past_due: its time had passed when it was planned; dropped: planned,
 * then not wanted any more.
 */
export const PLAN_STATUSES = ['planned', 'raised', 'past_due', 'expired', 'dropped'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** A reminder of one event, for all of its recipients. */
export type PlannedReminder = Scope & {
  /** digest of event, schedule version, type and offset, so that planning is idempotent */
  id: string;
  event_id: string;
  type: SchoolEvent['reminders'][number]['type'];
  /** minutes before the event */
  offset: number;
  schedule_version: number;
  due_at: Date;
  /** the start of the event, after which the reminder is useless (decisions.md, "too late") */
  expires_at: Date;
  status: PlanStatus;
};

const PLANNED_IN: readonly string[] = ['published', 'postponed'];

/**
 * Derives the reminders an event should have now. A reminder whose time has passed is planned as `past_due` and never sent
 * (decisions.md). An event postponed without a new date has no reminders.
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
  // Equal reminders have equal ids and are merged.
  return [...new Map(plan.map((reminder) => [reminder.id, reminder])).values()];
}
