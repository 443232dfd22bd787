import type { Refusal } from '../core/errors.ts';
import { wallTimeInWords } from '../core/zoned-time.ts';
import type { EventStatus, SchoolEvent } from '../events/event.ts';
import { type Caller, may } from '../people/caller.ts';
import { isActive, isOwn, type Registration } from './registration.ts';

/** Actions that staff may take on one registration. */
export const REGISTRATION_ACTIONS = ['confirm', 'decline', 'cancel', 'check_in', 'undo_check_in'] as const;
export type RegistrationAction = (typeof REGISTRATION_ACTIONS)[number];

/** Organizers read the registrations of their own event; changing them needs `events.registrations.manage`. */
export const mayReadRegistrations = (caller: Caller, { organizer_id }: Pick<SchoolEvent, 'organizer_id'>): boolean =>
  organizer_id === caller.user_id || may(caller, 'manage_registrations');

/** Statuses of an event that no one can join any more. */
const OVER: readonly EventStatus[] = ['cancelled', 'completed'];
/** Statuses of an event that people can attend. */
const OPEN: readonly EventStatus[] = ['published', 'in_progress'];

export const isOver = (status: EventStatus): boolean => OVER.includes(status);

/** Whether people can attend an event: not yet (or not for now), now, or no more. */
export const STAGES = ['before', 'open', 'over'] as const;
export type Stage = (typeof STAGES)[number];

export const stageOf = (status: EventStatus): Stage =>
  OPEN.includes(status) ? 'open' : isOver(status) ? 'over' : 'before';

type Timed = Pick<SchoolEvent, 'status' | 'starts_at' | 'ends_at' | 'timezone'>;

/** When check-in opens, and when people can no longer check in by code. Staff may check them in later, too. */
export const doorTimes = ({ starts_at, ends_at }: Pick<Timed, 'starts_at' | 'ends_at'>, opensMs: number) => ({
  opens_at: new Date(starts_at.getTime() - opensMs),
  closes_at: ends_at,
});

/**
 * The reason why no one can be checked in now; null if people can.
 * @param by `code`: by themselves with the code, which ends with the event
 */
export function refuseCheckIn(event: Timed, now: Date, opensMs: number, by: 'staff' | 'code'): Refusal | null {
  const { status, timezone } = event;
  const times = doorTimes(event, opensMs);
  if (status !== 'published' && status !== 'in_progress' && status !== 'completed') {
    const detail = `The event is ${status}. Check-in needs a published or running event.`;
    return { code: 'event_not_published', detail, extra: { current_status: status } };
  }
  if (status === 'published' && now < times.opens_at) {
    const detail = `Check-in opens on ${wallTimeInWords(times.opens_at, timezone)}.`;
    return { code: 'check_in_not_open', detail, extra: times };
  }
  if (by === 'code' && (status === 'completed' || now >= times.closes_at)) {
    return { code: 'check_in_over', detail: 'The event is over. Ask its staff to check you in.', extra: times };
  }
  return null;
}

type Seen = Pick<Registration, 'status' | 'checked_in_at'>;
type When = { now: Date; opensMs: number };

const isComing = ({ status, checked_in_at }: Seen): boolean => status === 'confirmed' && checked_in_at === null;

/** Actions for the owner of a registration: cancel it until the event is over, and check in with the code at the door. */
export const allowedToOwner = (registration: Seen, event: Timed, { now, opensMs }: When): RegistrationAction[] => [
  ...(isActive(registration.status) && !isOver(event.status) ? (['cancel'] as const) : []),
  ...(isComing(registration) && !refuseCheckIn(event, now, opensMs, 'code') ? (['check_in'] as const) : []),
];

/** Staff actions that would change the registration now, for display; the use cases check again. */
export function allowedOn(registration: Seen, event: Timed, { now, opensMs }: When): RegistrationAction[] {
  const { status, checked_in_at } = registration;
  const allowed: Record<RegistrationAction, boolean> = {
    confirm: status === 'pending' && !isOver(event.status),
    decline: isActive(status),
    cancel: isActive(status),
    check_in: isComing(registration) && !refuseCheckIn(event, now, opensMs, 'staff'),
    undo_check_in: status === 'confirmed' && checked_in_at !== null,
  };
  return REGISTRATION_ACTIONS.filter((action) => allowed[action]);
}

/**
 * People act for themselves and their children; staff with `events.registrations.manage` for everyone (decisions.md, "who").
 */
export const mayActFor = (caller: Caller, user_id: string): boolean =>
  isOwn(caller, { user_id }) || may(caller, 'manage_registrations');

export const NOT_FOR_OTHERS: Refusal = {
  code: 'forbidden',
  detail:
    'You can do this for yourself and your children. For others, you need the permission events.registrations.manage.',
};
