import type { Static } from 'typebox';
import { addressedEventOf, applyPlan, type Change, type Hold, holdPlan, type Plan } from '../../events/apply-plan.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { FIELD_NAMES } from '../../events/event-fields.ts';
import { findClashes } from '../../events/find-clashes.ts';
import type { HeldChange } from '../../events/held-change.ts';
import { canClash } from '../../events/rules/clashes.ts';
import { canonical } from '../../events/rules/merge.ts';
import { senseFaults } from '../../events/rules/validation.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import type { Caller } from '../../people/caller.ts';
import { seatsToGive } from '../../registrations/seats/promote.ts';
import { previewReminders } from '../../reminders/plan-reminders.ts';
import type { RouteDeps } from '../deps.ts';
import type { Answer } from '../route.ts';
import type { DRY_RUN_RESULT } from './dry-run-schema.ts';
import type { OCCURRENCES, UNDO } from './event-schema.ts';
import { eventView } from './event-view.ts';

type OccurrenceChange = Static<typeof OCCURRENCES>['changed'][number];

/**
 * Applies a plan and answers with the event; with a hold, also how to undo the change. With `dry_run`, changes nothing and
 * answers what would happen.
 */
export async function planAnswer(
  deps: RouteDeps,
  caller: Caller,
  plan: Plan,
  { dry_run = false, hold }: { dry_run?: boolean | undefined; hold?: Hold | undefined },
  answer: (event: SchoolEvent) => Answer,
): Promise<Answer> {
  if (!dry_run) {
    const { changes, held } = hold
      ? await holdPlan(deps, plan, hold)
      : { changes: await applyPlan(deps, plan), held: null };
    const { body, ...rest } = answer(addressedEventOf(changes));
    const undo = held ? { undo: undoView(held) } : {};
    if (body) return { ...rest, body: { ...body, ...seriesOutcome(changes), ...undo } };
    return held ? { ...rest, status: 200, body: undo } : rest;
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status: 200, body: await previewPlan(deps, caller, await plan()), headers, isDryRun: true };
}

const undoView = ({ id, until }: HeldChange): Static<typeof UNDO> => ({ change_id: id, until });

/** The changes that an operation made and left out in each occurrence; nothing if it concerns one event alone. */
function seriesOutcome(changes: readonly Change[]): { occurrences?: Static<typeof OCCURRENCES> } {
  if (changes.length < 2) return {};
  const inOrder = [...changes].sort((a, b) => a.after.starts_at.getTime() - b.after.starts_at.getTime());
  const of = ({ id, start_date }: SchoolEvent) => ({ id, start_date });
  return {
    occurrences: {
      changed: inOrder
        .filter(({ before, after }) => before !== after)
        .map(({ before, after }) => ({ ...of(after), ...differenceOf(before, after) })),
      left_out: inOrder.flatMap(({ after, left_out }) => (left_out ? { ...of(after), ...left_out } : [])),
    },
  };
}

function differenceOf(before: SchoolEvent | null, after: SchoolEvent): Pick<OccurrenceChange, 'change' | 'fields'> {
  if (!before) return { change: 'added', fields: [] };
  if (after.deleted_at !== null) return { change: 'deleted', fields: [] };
  const fields = FIELD_NAMES.filter((name) => canonical(before[name]) !== canonical(after[name]));
  return { change: before.status === after.status ? 'edited' : after.status, fields };
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
