import { type Static, Type } from 'typebox';
import { fromKeys } from '../../core/objects.ts';
import { addressedEventOf, applyPlan, type Change, type Hold, holdPlan, type Plan } from '../../events/apply-plan.ts';
import { EVENT_STATUSES, type SchoolEvent } from '../../events/event.ts';
import { CLASHES, findClashes } from '../../events/find-clashes.ts';
import { LONGEST_HOLD_SECONDS } from '../../events/held-change.ts';
import { canClash } from '../../events/rules/clashes.ts';
import { changedFields } from '../../events/rules/merge.ts';
import { SCOPES } from '../../events/rules/series.ts';
import { senseFaults } from '../../events/rules/validation.ts';
import { REASONS, type Reason } from '../../notifications/delivery.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import type { Caller } from '../../people/caller.ts';
import { byChannel, CHANNELS } from '../../people/channels.ts';
import { seatsToGive } from '../../registrations/seats/admission.ts';
import { previewReminders } from '../../reminders/plan-reminders.ts';
import type { RouteDeps } from '../deps.ts';
import type { ApiResponse } from '../route-definition.ts';
import { choice, described, FAULT, flag, listOf, named, oneOf, optional, refTo, stamp } from '../schemas/fields.ts';
import { EVENT, OCCURRENCES } from './event-schema.ts';
import { eventResponse, eventView } from './event-view.ts';

/** The query parameter of every operation on an event. */
export const DRY_RUN = {
  dry_run: flag('True: change nothing and answer what would happen and who would be notified.'),
};

/** The query parameter of operations that can be undone. */
export const HOLD = {
  hold_seconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_HOLD_SECONDS,
      description:
        'For how many seconds the change can be undone. Its messages are sent after that. By default 0: they are sent ' +
        'immediately. `undo` in the response has the id to undo it with.',
    }),
  ),
};

/** The query parameter of operations that can apply to several occurrences. */
export const SCOPE = {
  scope: choice(
    SCOPES,
    'The occurrences of a series to change: `this` (default), this and the `following`, or `all`. An edit leaves out ' +
      'fields that were changed in one occurrence alone. A status change or deletion leaves out occurrences whose status ' +
      'does not allow it. `occurrences` in the response says what was changed and what was left out.',
  ),
};

const COUNTED = Type.Object({
  told: Type.Integer({ description: 'How many messages would be sent.' }),
  skipped: described(
    'How many messages would not be sent, by reason.',
    fromKeys(Object.keys(REASONS) as Reason[], (reason) =>
      optional(Type.Integer({ description: `How many: ${REASONS[reason]}.` })),
    ),
  ),
});

export const SHOWN_CLASHES = named('Clashes', CLASHES);

/** In the response of every operation with `dry_run`: whom its messages would reach. */
export const AUDIENCE_PREVIEW = {
  dry_run: Type.Literal(true, { description: 'True: nothing was changed.' }),
  audience: described(
    'How many people would be notified, by channel. Empty if no one would be.',
    byChannel((channel) => optional({ ...COUNTED, description: `For the channel \`${channel}\`.` })),
  ),
  people: Type.Integer({ description: 'How many people would be notified, on any channel.' }),
  sms_segments: Type.Integer({
    description: 'How many SMS parts you would pay for. A long message has several parts.',
  }),
  estimated_seconds: Type.Integer({
    description: 'Seconds until the last message is sent, including the messages that are queued now.',
  }),
};

/** The response of an operation with `dry_run`: what would happen. */
const DRY_RUN_RESULT = named('DryRunResult', {
  status: oneOf([...EVENT_STATUSES, 'deleted'], { description: 'The status that the event would have.' }),
  event: Type.Union([refTo(EVENT), Type.Null()], {
    description: 'The event as it would be. Null if it would be deleted.',
  }),
  changed_events: Type.Integer({ description: 'How many events would change. More than one for a series.' }),
  occurrences: optional(OCCURRENCES),
  ...AUDIENCE_PREVIEW,
  reminders: described('The reminders of the event as they would be.', {
    planned: listOf('The planned reminders.', {
      type: oneOf(CHANNELS),
      offset: Type.Integer({ description: 'Minutes before the event.' }),
      due_at: stamp,
      status: oneOf(['planned', 'past_due'], {
        description: '`past_due`: the time of the reminder has passed already.',
      }),
    }),
    dropped: Type.Integer({ description: 'How many planned reminders would be removed.' }),
  }),
  warnings: Type.Array(FAULT, {
    description: 'Fields of the event that make no sense together, such as a deadline after the start.',
  }),
  promotions: Type.Integer({ description: 'How many people would get a seat from the waitlist.' }),
  clashes: refTo(SHOWN_CLASHES),
});

type OccurrenceChange = Static<typeof OCCURRENCES>['changed'][number];

/**
 * Applies a plan and responds with the event; with a hold of some seconds, also how to undo the change. With `dry_run`, changes
 * nothing and says what would happen.
 */
export async function executePlan(
  deps: RouteDeps,
  caller: Caller,
  plan: Plan,
  { dry_run = false, hold }: { dry_run?: boolean; hold?: Hold },
  respond = (event: SchoolEvent): ApiResponse => eventResponse(deps, caller, event),
): Promise<ApiResponse> {
  if (!dry_run) {
    const { changes, held } = hold?.seconds
      ? await holdPlan(deps, plan, hold)
      : { changes: await applyPlan(deps, plan), held: null };
    const { body, ...rest } = respond(addressedEventOf(changes));
    const outcome = { ...seriesOutcome(changes), ...(held ? { undo: { change_id: held.id, until: held.until } } : {}) };
    if (body) return { ...rest, body: { ...body, ...outcome } };
    // A deletion: 204, unless dates stay or it can be undone.
    return held || outcome.occurrences?.left_out.length ? { status: 200, body: outcome } : rest;
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status: 200, body: await previewPlan(deps, caller, await plan()), headers, isDryRun: true };
}

/** The changes that an operation made and left out in each occurrence; nothing if it concerns one event alone. */
function seriesOutcome(changes: readonly Change[]): { occurrences?: Static<typeof OCCURRENCES> } {
  if (changes.length < 2) return {};
  const inOrder = [...changes].sort((a, b) => a.after.starts_at.getTime() - b.after.starts_at.getTime());
  const of = ({ id, start_date }: SchoolEvent) => ({ id, start_date });
  return {
    occurrences: {
      changed: inOrder
        .filter(({ before, after }) => before !== after)
        .map(({ before, after }) => ({ ...of(after), ...changeOf(before, after) })),
      left_out: inOrder.flatMap(({ after, left_out }) => (left_out ? { ...of(after), ...left_out } : [])),
    },
  };
}

function changeOf(before: SchoolEvent | null, after: SchoolEvent): Pick<OccurrenceChange, 'change' | 'fields'> {
  if (!before) return { change: 'added', fields: [] };
  if (after.deleted_at !== null) return { change: 'deleted', fields: [] };
  return { change: before.status === after.status ? 'edited' : after.status, fields: changedFields(before, after) };
}

async function previewPlan(
  deps: RouteDeps,
  caller: Caller,
  changes: readonly Change[],
): Promise<Static<typeof DRY_RUN_RESULT>> {
  const event = addressedEventOf(changes);
  const isGone = event.deleted_at !== null;
  const made = changes.filter(({ before, after }) => before !== after);
  const now = deps.clock.now();
  const previewed = made.map(({ after, facts }) => ({ event: after, facts }));
  return {
    dry_run: true,
    status: isGone ? 'deleted' : event.status,
    event: isGone ? null : eventView(event, caller, deps),
    changed_events: made.length,
    ...seriesOutcome(changes),
    ...(await previewAudience(deps, previewed, now)),
    reminders: await previewReminders(deps, made, event.id),
    warnings: isGone ? [] : senseFaults(event),
    clashes: await findClashes(deps, caller, made.map(({ after }) => after).filter(canClash)),
    promotions: made.reduce((sum, { after }) => sum + seatsToGive(after, now), 0),
  };
}
