import type { Refusal } from '../../core/errors.ts';
import { type Caller, forbiddenWithout, may, PERMISSIONS, type Permission } from '../../people/caller.ts';
import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../event.ts';

/**
 * The state table (docs/decisions.md, "Lifecycle"): the statuses in which each action is possible, the status it leads
 * to and the permission it needs. `allowed_actions` and the documentation are derived from it. `to` null: the status stays,
 * or depends on the request (return).
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
  duplicate: { from: EVENT_STATUSES, to: null, permission: 'create_event' },
  delete: { from: EVENT_STATUSES, to: null, permission: 'delete_event' },
  share: { from: ['published'], to: null, permission: 'view_events' },
} as const satisfies Record<string, { from: readonly EventStatus[]; to: EventStatus | null; permission: Permission }>;

export type Action = keyof typeof ACTIONS;
const NAMES = Object.keys(ACTIONS) as Action[];

export const isPossible = (status: EventStatus, action: Action): boolean =>
  (ACTIONS[action].from as readonly EventStatus[]).includes(status);

const inWords = (status: EventStatus): string => status.replace('_', ' ');

const OR = new Intl.ListFormat('en', { type: 'disjunction' });
/** The states of each action in words, formatted once, because every list asks for the actions of its caller. */
const STATES = new Map(NAMES.map((action) => [action, OR.format(ACTIONS[action].from.map(inWords))]));

type Acting = Pick<Caller, 'permissions'> & { user_id: string | null };
/** `organizer_id` matters for drafts only, so other events may lack it. */
type Subject = Pick<SchoolEvent, 'status' | 'current_attendees'> & Partial<Pick<SchoolEvent, 'organizer_id'>>;
type Reason = Pick<Refusal, 'code'> & { detail: string };

/**
 * Why an action is refused now, or null if it is possible. Checks the status before permissions, because no permission
 * changes the status.
 */
export function refusalOf(event: Subject, action: Action, caller: Acting): Refusal | null {
  const reason = reasonAgainst(event, action, caller);
  if (!reason || reason.code === 'forbidden') return reason;
  return {
    ...reason,
    extra: { current_status: event.status, allowed_actions: allowedActions(event, caller) },
  };
}

function reasonAgainst(event: Subject, action: Action, caller: Acting): Reason | null {
  if (!isPossible(event.status, action)) {
    const code = action === 'edit' ? 'event_not_editable' : 'invalid_transition';
    return {
      code,
      detail: `The event is ${inWords(event.status)}. The action ${action} needs an event that is ${STATES.get(action)}.`,
    };
  }
  const forbidden = permissionRefusal(event, action, caller);
  if (forbidden) return forbidden;
  // Only drafts may be deleted while seats are taken.
  if (action === 'delete' && event.status !== 'draft' && event.current_attendees > 0) {
    const detail = `Seats taken: ${event.current_attendees}. Cancel the registrations first, then delete the event.`;
    return { code: 'invalid_transition', detail };
  }
  return null;
}

/**
 * The refusal that names the missing permission, or null. Deleting a draft needs `events.delete`; other events, which people
 * may have seen, also need `events.delete.any`. Organizers may edit their own drafts, and delete them if they may create events.
 */
export function permissionRefusal(event: Subject, action: Action, caller: Acting): Reason | null {
  if (isOwnDraft(event, caller) && (action === 'edit' || (action === 'delete' && may(caller, 'create_event'))))
    return null;
  const needed: Permission[] = [ACTIONS[action].permission];
  if (action === 'delete' && event.status !== 'draft') needed.push('delete_any_event');
  const missing = needed.find((permission) => !may(caller, permission));
  return missing ? forbiddenWithout(missing) : null;
}

const isOwnDraft = ({ status, organizer_id }: Subject, { user_id }: Acting): boolean =>
  status === 'draft' && user_id !== null && organizer_id === user_id;

/** The actions that would not be refused now. */
export const allowedActions = (event: Subject, caller: Acting): Action[] =>
  NAMES.filter((action) => reasonAgainst(event, action, caller) === null);

/** The actions that would be refused now, each with the reason. */
export function refusedActions(event: Subject, caller: Acting): Partial<Record<Action, Reason>> {
  const reasons = NAMES.map((action) => [action, reasonAgainst(event, action, caller)] as const);
  return Object.fromEntries(reasons.filter(([, reason]) => reason !== null));
}

/** The state table as Markdown, for the documentation: one row per action. */
export function stateTable(): string {
  const cell = (action: Action, status: EventStatus) =>
    isPossible(status, action) ? (ACTIONS[action].to ?? (action === 'return' ? 'draft, scheduled' : 'yes')) : '–';
  const row = (action: Action) =>
    `| ${action} | ${EVENT_STATUSES.map((status) => cell(action, status)).join(' | ')} | ${PERMISSIONS[ACTIONS[action].permission].join(' or ')} |`;
  return [
    `| action | ${EVENT_STATUSES.join(' | ')} | needs |`,
    `|${' --- |'.repeat(EVENT_STATUSES.length + 2)}`,
    ...NAMES.map(row),
  ].join('\n');
}

/** The moves that the clock makes (docs/decisions.md, "Lifecycle"): the status that an event waits in, and until when. */
export const CLOCK_MOVES = {
  publish: { status: 'scheduled', at: 'publish_at' },
  start: { status: 'published', at: 'starts_at' },
  complete: { status: 'in_progress', at: 'ends_at' },
} as const;
export type ClockAction = keyof typeof CLOCK_MOVES;
export const CLOCK_ACTIONS = Object.keys(CLOCK_MOVES) as ClockAction[];

export function isDue(event: SchoolEvent, action: ClockAction, now: Date): boolean {
  const { status, at } = CLOCK_MOVES[action];
  const due = event[at];
  return event.deleted_at === null && event.status === status && due !== null && due <= now;
}
