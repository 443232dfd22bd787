import { byId } from '../core/groups.ts';
import { hashOf } from '../core/ids.ts';
import type { Tx } from '../core/transaction.ts';
import { hoursAfter } from '../core/zoned-time.ts';
import { hasStarted, type SchoolEvent } from '../events/event.ts';
import type { Scope } from '../people/caller.ts';
import type { Channel } from '../people/channels.ts';

/**
 * planned → raised, or expired if the event began before; past_due: its time had passed when it was planned; dropped: planned,
 * then not wanted any more.
 */
export const PLAN_STATUSES = ['planned', 'raised', 'past_due', 'expired', 'dropped'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

type Planned = Scope & {
  /** hash of the event and of what the reminder depends on, so that planning is idempotent */
  id: string;
  event_id: string;
  due_at: Date;
  /** the start of the event, or the end of one with meetings: the reminder is useless then (docs/decisions.md, "Too late") */
  expires_at: Date;
  status: PlanStatus;
};

/** A reminder of one event, for all of its recipients. `offset`: minutes before the event. */
export type EventReminder = Planned &
  Pick<SchoolEvent['reminders'][number], 'type' | 'offset'> & { schedule_version: number };

/** A reminder for people who have not confirmed having read the announcement of one event. */
type AcknowledgementReminder = Planned & { channels: Channel[] };

export type PlannedReminder = EventReminder | AcknowledgementReminder;

/** Whether the event has begun, and all of its meetings. */
export const isLate = ({ expires_at }: PlannedReminder, now: Date): boolean => expires_at <= now;

export const isOfEvent = (reminder: PlannedReminder): reminder is EventReminder => 'offset' in reminder;

/**
 * Derives the reminders an event should have now. A reminder whose time has passed is planned as `past_due` and never sent.
 * An event postponed without a new date has no reminders.
 */
export function wantedPlan(event: SchoolEvent, now: Date): PlannedReminder[] {
  if (event.deleted_at !== null) return [];
  const { tenant_id, school_id, id: event_id, starts_at, ends_at, slots, schedule_version } = event;
  // Families are reminded before their own meeting, the last of which begins before the end.
  const meetingsMs = slots ? ends_at.getTime() - starts_at.getTime() : 0;
  const planned = (due_at: Date, forMs: number, ...of: (string | number)[]): Planned => ({
    tenant_id,
    school_id,
    id: hashOf(event_id, ...of),
    event_id,
    due_at,
    expires_at: new Date(starts_at.getTime() + forMs),
    status: due_at.getTime() + forMs <= now.getTime() ? 'past_due' : 'planned',
  });
  const isPlanned = event.status === 'published' || (event.status === 'postponed' && event.postponed_to !== null);
  const plan = (isPlanned ? event.reminders : []).map(({ type, offset }): EventReminder => {
    const due_at = new Date(starts_at.getTime() - offset * 60_000);
    return { ...planned(due_at, meetingsMs, schedule_version, type, offset), type, offset, schedule_version };
  });
  // Equal reminders have equal ids and are merged.
  return [...byId(plan).values(), ...acknowledgementPlan(event, planned)];
}

/** Of a series only the first date has a reminder, because a series is confirmed once. */
function acknowledgementPlan(
  event: SchoolEvent,
  planned: (due_at: Date, forMs: number, ...of: (string | number)[]) => Planned,
): AcknowledgementReminder[] {
  const { status, published_at, parent_event_id, starts_at, acknowledgement_reminder } = event;
  if (status !== 'published' || published_at === null || parent_event_id !== null) return [];
  if (!acknowledgement_reminder) return [];
  const { after_hours, channels } = acknowledgement_reminder;
  const due_at = hoursAfter(published_at, after_hours);
  return due_at < starts_at
    ? [{ ...planned(due_at, 0, 'acknowledgement', due_at.getTime(), ...channels), channels }]
    : [];
}

/** The writes that turn the stored plan into the wanted one; empty if they are equal. */
export type PlanDifference = {
  insert: PlannedReminder[];
  change: PlannedReminder[];
};

/**
 * Compares the stored plan of one event with the wanted one. A reminder that was planned in time stays planned when it is
 * due, even if the event begins meanwhile, until the clock raises or expires it. Raised, expired and past reminders never
 * change.
 */
export function planDifference(
  stored: readonly PlannedReminder[],
  wanted: readonly PlannedReminder[],
  event: Pick<SchoolEvent, 'status'>,
  now: Date,
): PlanDifference {
  const has = byId(stored);
  const wants = new Set(wanted.map((reminder) => reminder.id));
  const dropped = stored.filter(
    (row) => row.status === 'planned' && !wants.has(row.id) && !(hasStarted(event) && row.due_at <= now),
  );
  const corrected = wanted.filter((reminder) => {
    const row = has.get(reminder.id);
    // A due reminder belongs to the clock.
    if (row?.status === 'planned' && row.due_at <= now) return false;
    if (row?.status === 'planned') return +row.due_at !== +reminder.due_at || +row.expires_at !== +reminder.expires_at;
    // Dropped and wanted again: the event was unpublished, then published once more.
    return row?.status === 'dropped';
  });
  return {
    insert: wanted.filter((reminder) => !has.has(reminder.id)),
    change: [
      ...dropped.map((row) => ({ ...row, status: 'dropped' as const })),
      ...corrected.map((row) => (has.get(row.id)?.status === 'planned' ? { ...row, status: 'planned' as const } : row)),
    ],
  };
}

export const isEmpty = ({ insert, change }: PlanDifference): boolean => insert.length + change.length === 0;

export type ReminderStore = {
  /** All reminders of these events, including old schedule versions; in no order. */
  listOfEvents(event_ids: readonly string[], tx?: Tx): Promise<PlannedReminder[]>;
  apply(difference: PlanDifference, tx: Tx): Promise<void>;
  /** Ids of planned reminders that are due within `withinMs` by the database's clock, oldest first. */
  findDue(limit: number, withinMs: number): Promise<string[]>;
  /** When the next planned reminder is due; null if none is planned. */
  findNextDue(): Promise<Date | null>;
  /** Changes reminders that are still planned to the status given. @returns these, as they were before */
  recordOutcome(
    ids: readonly string[],
    statusOf: (reminder: PlannedReminder) => 'raised' | 'expired',
    tx: Tx,
  ): Promise<PlannedReminder[]>;
  listOfEvent(scope: Scope, event_id: string): Promise<PlannedReminder[]>;
};
