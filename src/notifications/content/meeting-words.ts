import { oneLine } from '../../core/plain-text.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { spanOfSlot } from '../../events/rules/slots.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import type { Person } from '../policy/readers.ts';
import { momentSpan, timesInWords } from './when.ts';

/**
 * The chosen meetings in the order of their times: `16:20–16:30, Jana Dvořáková; 17:00–17:10, Petr Malý`; with the child, if
 * the message is about several: `16:20–16:30, Jana Dvořáková (Tom)`. '' without any.
 */
export function meetingsInWords(
  event: SchoolEvent,
  registrations: readonly RegistrationState[],
  people: readonly Person[],
): string {
  const { slots, timezone, id } = event;
  if (!slots) return '';
  const meetings = registrations
    .filter(({ event_id }) => event_id === id)
    .flatMap(({ user_id, slots: chosen = [] }) => chosen.map((slot) => ({ user_id, slot })))
    .sort((a, b) => a.slot.minute - b.slot.minute);
  const isForSeveral = new Set(meetings.map(({ user_id }) => user_id)).size > 1;
  return meetings
    .map(({ user_id, slot }) => {
      const { starts_at, ends_at } = spanOfSlot(event, slot);
      const { start } = momentSpan(starts_at, timezone);
      const { start: end } = momentSpan(ends_at, timezone);
      const host = slots.hosts.find((one) => one.user_id === slot.host_user_id)?.name ?? '';
      const child = isForSeveral ? (people.find((one) => one.user_id === user_id)?.name ?? '') : '';
      const words = [timesInWords({ start, end, timed: true, all_day: false }), oneLine(host)];
      return `${words.filter((word) => word !== '').join(', ')}${child ? ` (${oneLine(child)})` : ''}`;
    })
    .join('; ');
}
