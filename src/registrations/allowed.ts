import type { EventStatus } from '../events/event.ts';
import { isActive, type Registration } from './registration.ts';

/** What may be done with one registration by those who manage them. */
export const ROSTER_ACTIONS = ['confirm', 'decline', 'cancel', 'check_in'] as const;
export type RosterAction = (typeof ROSTER_ACTIONS)[number];

/** States of an event in which nobody joins it any more. */
const OVER: readonly EventStatus[] = ['cancelled', 'completed'];
/** States of an event in which people can come to it. */
const OPEN: readonly EventStatus[] = ['published', 'in_progress'];

export const isOver = (status: EventStatus): boolean => OVER.includes(status);
export const letsPeopleIn = (status: EventStatus): boolean => OPEN.includes(status);

/** Whether people come to an event: not yet or not for now, by all means, or no more. */
export const STAGES = ['before', 'open', 'over'] as const;
export type Stage = (typeof STAGES)[number];

export const stageOf = (status: EventStatus): Stage =>
  letsPeopleIn(status) ? 'open' : isOver(status) ? 'over' : 'before';

/** What the owner of a registration can do with it: give it up, as long as anybody may still come. */
export const allowedToOwner = (
  { status }: Pick<Registration, 'status'>,
  event: { status: EventStatus },
): RosterAction[] => (isActive(status) && !isOver(event.status) ? ['cancel'] : []);

/** What would change something now; the verbs have the last word. */
export function allowedOn(
  { status, checked_in_at }: Pick<Registration, 'status' | 'checked_in_at'>,
  event: { status: EventStatus },
): RosterAction[] {
  const allowed: Record<RosterAction, boolean> = {
    confirm: status === 'pending' && !isOver(event.status),
    decline: isActive(status),
    cancel: isActive(status),
    check_in: status === 'confirmed' && checked_in_at === null && letsPeopleIn(event.status),
  };
  return ROSTER_ACTIONS.filter((action) => allowed[action]);
}
