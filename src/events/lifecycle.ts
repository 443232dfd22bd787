import type { Refusal } from '../kernel/errors.ts';
import type { Permission } from '../people/permissions.ts';
import type { EventStatus, SchoolEvent } from './event.ts';

/**
 * The state table (§3, §2.12, decisions.md "Lifecycle"): for every action the states it is possible in, the state it
 * leads to and the permission it needs. Code, `allowed_actions` and the documentation are made from this one table.
 * `to` null: the state stays, or depends on the request (return).
 */
export const ACTIONS = {
  edit: { from: ['draft', 'scheduled', 'published', 'postponed'], to: null, permission: 'update_event' },
  publish: { from: ['draft', 'scheduled', 'postponed'], to: 'published', permission: 'publish_event' },
  unpublish: { from: ['published'], to: 'draft', permission: 'publish_event' },
  cancel: {
    from: ['draft', 'scheduled', 'published', 'in_progress', 'postponed'],
    to: 'cancelled',
    permission: 'cancel_event',
  },
  postpone: { from: ['scheduled', 'published'], to: 'postponed', permission: 'update_event' },
  schedule: { from: ['draft'], to: 'scheduled', permission: 'publish_event' },
  return: { from: ['postponed'], to: null, permission: 'update_event' },
  start: { from: ['published'], to: 'in_progress', permission: 'update_event' },
  complete: { from: ['in_progress'], to: 'completed', permission: 'update_event' },
  duplicate: {
    from: ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
    to: null,
    permission: 'create_event',
  },
  delete: {
    from: ['draft', 'scheduled', 'published', 'in_progress', 'completed', 'cancelled', 'postponed'],
    to: null,
    permission: 'delete_event',
  },
  share: { from: ['published'], to: null, permission: 'view_events' },
} as const satisfies Record<string, { from: readonly EventStatus[]; to: EventStatus | null; permission: Permission }>;

export type Action = keyof typeof ACTIONS;

export const isPossible = (status: EventStatus, action: Action): boolean =>
  (ACTIONS[action].from as readonly EventStatus[]).includes(status);

/** Actions possible in this state for someone of whom `permitted` tells what they may do; never more than they'd get. */
export function allowedActions(
  event: Pick<SchoolEvent, 'status'>,
  permitted: (permission: Permission) => boolean,
): Action[] {
  return (Object.keys(ACTIONS) as Action[]).filter((action) => {
    if (!isPossible(event.status, action) || !permitted(ACTIONS[action].permission)) return false;
    return action !== 'delete' || event.status === 'draft' || permitted('delete_any_event');
  });
}

/** Why this action can't be done now, or null where it can. */
export function refusalOf(
  event: Pick<SchoolEvent, 'status'>,
  action: Action,
  allowed: readonly Action[],
): Refusal | null {
  if (isPossible(event.status, action)) return null;
  return {
    code: action === 'edit' ? 'event_not_editable' : 'invalid_transition',
    detail: `${action} is not possible while the event is ${event.status}; it is possible in ${ACTIONS[action].from.join(', ')}`,
    extra: { current_status: event.status, allowed_actions: allowed },
  };
}
