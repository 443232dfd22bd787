import { digestOf } from '../core/ids.ts';
import { hoursAfter } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Scope } from '../people/caller.ts';
import type { Channel } from '../people/channels.ts';

/**
 * planned → raised, or expired if the event began before; past_due: its time had passed when it was planned; dropped: planned,
 * then not wanted any more.
 */
export const PLAN_STATUSES = ['planned', 'raised', 'past_due', 'expired', 'dropped'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

type Planned = Scope & {
  /** digest of the event and of what the reminder depends on, so that planning is idempotent */
  id: string;
  event_id: string;
  due_at: Date;
  /** the start of the event, after which the reminder is useless (decisions.md, "too late") */
  expires_at: Date;
  status: PlanStatus;
};

/** A reminder of one event, for all of its recipients. `offset`: minutes before the event. */
export type EventReminder = Planned &
  Pick<SchoolEvent['reminders'][number], 'type' | 'offset'> & { schedule_version: number };

/** A reminder for people who have not confirmed having read the announcement of one event. */
type AcknowledgementReminder = Planned & { channels: Channel[] };

export type PlannedReminder = EventReminder | AcknowledgementReminder;

/** Whether the event has begun. */
export const isLate = ({ expires_at }: PlannedReminder, now: Date): boolean => expires_at <= now;

export const isOfEvent = (reminder: PlannedReminder): reminder is EventReminder => 'offset' in reminder;

/**
 * Derives the reminders an event should have now. A reminder whose time has passed is planned as `past_due` and never sent
 * (decisions.md). An event postponed without a new date has no reminders.
 */
export function wantedPlan(event: SchoolEvent, now: Date): PlannedReminder[] {
  if (event.deleted_at !== null) return [];
  const { tenant_id, school_id, id: event_id, starts_at: expires_at, schedule_version } = event;
  const planned = (due_at: Date, ...of: (string | number)[]): Planned => ({
    tenant_id,
    school_id,
    id: digestOf(event_id, ...of),
    event_id,
    due_at,
    expires_at,
    status: due_at <= now ? 'past_due' : 'planned',
  });
  const isPlanned = event.status === 'published' || (event.status === 'postponed' && event.postponed_to !== null);
  const plan = (isPlanned ? event.reminders : []).map(({ type, offset }): EventReminder => {
    const due_at = new Date(expires_at.getTime() - offset * 60_000);
    return { ...planned(due_at, schedule_version, type, offset), type, offset, schedule_version };
  });
  // Equal reminders have equal ids and are merged.
  return [...new Map(plan.map((reminder) => [reminder.id, reminder])).values(), ...acknowledgementPlan(event, planned)];
}

/** Of a series only the first date has a reminder, because a series is confirmed once. */
function acknowledgementPlan(
  event: SchoolEvent,
  planned: (due_at: Date, ...of: (string | number)[]) => Planned,
): AcknowledgementReminder[] {
  const { status, published_at, parent_event_id, starts_at, acknowledgement_reminder } = event;
  if (status !== 'published' || published_at === null || parent_event_id !== null) return [];
  if (!acknowledgement_reminder) return [];
  const { after_hours, channels } = acknowledgement_reminder;
  const due_at = hoursAfter(published_at, after_hours);
  return due_at < starts_at ? [{ ...planned(due_at, 'acknowledgement', due_at.getTime(), ...channels), channels }] : [];
}
