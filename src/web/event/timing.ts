import type { SchoolEvent } from '../api/types.ts';

export type Timing = {
  phase: 'ahead' | 'now' | 'past';
  /** milliseconds to the start, or while it goes on to the end */
  left: number;
  /** milliseconds to the deadline for registering; null without one */
  closesIn: number | null;
};

type Timed = Pick<SchoolEvent, 'starts_at' | 'ends_at' | 'registration_deadline' | 'registration_type' | 'status'>;

/** How an event stands in time: at its start it goes on, at its end it is past. */
export function timingOf(event: Timed, now: number): Timing {
  const { starts_at, ends_at, registration_deadline: deadline, registration_type, status } = event;
  const [start, end] = [Date.parse(starts_at), Date.parse(ends_at)];
  // Started or ended by hand, whatever the clock says.
  const isPast = status === 'completed' || now >= end;
  const isOn = !isPast && (status === 'in_progress' || now >= start);
  return {
    phase: isPast ? 'past' : isOn ? 'now' : 'ahead',
    left: (isOn ? end : start) - now,
    closesIn: deadline === null || registration_type === 'none' ? null : Date.parse(deadline) - now,
  };
}
