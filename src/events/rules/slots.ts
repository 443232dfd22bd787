import { type FieldFault, fault } from '../../core/errors.ts';
import type { SchoolEvent } from '../event.ts';
import type { EventFields } from '../event-fields.ts';
import { minutesOf } from './schedule.ts';

/** A meeting with a host: it begins so many minutes after the event, and moves with it. */
export type Slot = { host_user_id: string; minute: number };

type Offering = Pick<SchoolEvent, 'slots' | 'starts_at' | 'ends_at'>;

const MINUTE_MS = 60_000;

/** All slots of an event, by time and in the order of the hosts; none if families choose no times. */
export function slotsOf({ slots, starts_at, ends_at }: Offering): Slot[] {
  if (!slots) return [];
  const all = (ends_at.getTime() - starts_at.getTime()) / MINUTE_MS;
  const step = slots.length_minutes + (slots.break_minutes ?? 0);
  const count = Math.max(0, Math.floor((all - slots.length_minutes) / step) + 1);
  const minutes = Array.from({ length: count }, (_, n) => n * step);
  return minutes.flatMap((minute) => slots.hosts.map(({ user_id }) => ({ host_user_id: user_id, minute })));
}

/** Equal for equal slots. */
export const slotKey = ({ minute, host_user_id }: Slot): string => `${minute} ${host_user_id}`;

export const isSameSlot = (a: Slot, b: Slot): boolean => a.host_user_id === b.host_user_id && a.minute === b.minute;

/** Whether two lists without repetitions hold the same slots. */
export const areSameSlots = (some: readonly Slot[], others: readonly Slot[]): boolean =>
  some.length === others.length && some.every((slot) => others.some((other) => isSameSlot(slot, other)));

/** Whether two slots of an event overlap in time. */
export const overlap = ({ slots }: Pick<SchoolEvent, 'slots'>, a: Slot, b: Slot): boolean =>
  Math.abs(a.minute - b.minute) < (slots?.length_minutes ?? 0);

/** The minute of the earliest slot; undefined without any. */
export const firstMinute = (slots: readonly Slot[] = []): number | undefined =>
  slots.length > 0 ? Math.min(...slots.map(({ minute }) => minute)) : undefined;

/** When a meeting begins and ends. */
export function spanOfSlot(
  { starts_at, slots }: Offering,
  { minute }: Pick<Slot, 'minute'>,
): { starts_at: Date; ends_at: Date } {
  const at = (minutes: number) => new Date(starts_at.getTime() + minutes * MINUTE_MS);
  return { starts_at: at(minute), ends_at: at(minute + (slots?.length_minutes ?? 0)) };
}

/** When the earliest of these slots begins; without any, when the event does. */
export const firstStart = (event: Offering, slots: readonly Slot[] | undefined): Date =>
  spanOfSlot(event, { minute: firstMinute(slots) ?? 0 }).starts_at;

/** Whether an edit takes away or shortens a slot that a family may have chosen. */
export function takesSlotsAway(before: SchoolEvent, after: SchoolEvent): boolean {
  if (!before.slots || before.current_attendees + before.waitlisted === 0) return false;
  const kept = new Set(slotsOf(after).map(slotKey));
  const isShorter = before.slots.length_minutes !== after.slots?.length_minutes;
  return isShorter || slotsOf(before).some((slot) => !kept.has(slotKey(slot)));
}

/** The faults of the slots that an event offers. */
export function slotFaults(event: EventFields): FieldFault[] {
  const { slots } = event;
  if (!slots) return [];
  // A merge patch can remove required members.
  const missing = (['length_minutes', 'hosts'] as const).filter((name) => slots[name] === undefined);
  const faults = missing.map((name) => fault(`/slots/${name}`, 'is required', 'required'));
  if (faults.length > 0) return faults;
  const refuse = (isFaulty: boolean, pointer: string, message: string) => {
    if (isFaulty) faults.push(fault(pointer, message, 'slots'));
  };
  refuse(event.event_type !== 'parent_teacher', '/slots', 'needs the event type parent_teacher');
  refuse(event.registration_type === 'none', '/slots', 'needs a registration_type other than none');
  refuse(event.waitlist_enabled, '/waitlist_enabled', 'must be false if families choose times');
  const isOnOneDay = !event.all_day && event.start_date === event.end_date;
  refuse(!isOnOneDay, '/slots', 'needs a start and an end time on one day');
  refuse(isOnOneDay && minutesOf(event) < slots.length_minutes, '/slots/length_minutes', 'must fit into the event');
  const hosts = new Set(slots.hosts.map(({ user_id }) => user_id));
  if (hosts.size < slots.hosts.length) faults.push(fault('/slots/hosts', 'must not repeat a person', 'uniqueItems'));
  return faults;
}
