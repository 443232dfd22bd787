import type { Static } from 'typebox';
import { addressedEventOf, applyPlan, type Plan } from '../../events/apply-plan.ts';
import type { Change } from '../../events/change.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import type { Caller } from '../../people/caller.ts';
import { seatsToGive } from '../../registrations/waitlist.ts';
import { previewReminders } from '../../reminders/preview-reminders.ts';
import type { RouteDeps } from '../deps.ts';
import type { Answer } from '../route.ts';
import type { DRY_RUN_RESULT } from './dry-run-schema.ts';
import { eventView, shownProperties } from './event-view.ts';

/** Applies a plan and answers with the event. With `dry_run`, changes nothing and answers what would happen. */
export async function planAnswer(
  deps: RouteDeps,
  caller: Caller,
  plan: Plan,
  { dry_run = false }: { dry_run?: boolean | undefined },
  answer: (event: SchoolEvent) => Answer,
): Promise<Answer> {
  if (!dry_run) return answer(await applyPlan(deps, plan));
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status: 200, body: await previewPlan(deps, caller, await plan()), headers, isDryRun: true };
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
    event: isGone ? null : shownProperties(eventView(event, caller, deps.publicUrl)),
    changed_events: made.length,
    ...(await previewAudience(deps, previewed, now)),
    reminders: await previewReminders(deps, made, event.id),
    promotions: made.reduce((sum, { after }) => sum + seatsToGive(after, now), 0),
  };
}
