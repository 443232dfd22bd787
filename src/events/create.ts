import { mustBeValid } from '../core/errors.ts';
import type { FactData } from '../outbox/fact.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { applyPlan, type Change } from './apply-plan.ts';
import type { SchoolEvent } from './event.ts';
import type { NewEvent } from './event-fields.ts';
import type { EventDeps } from './ports.ts';
import { occurrenceOn } from './rules/copy.ts';
import { draftOf, withDefaults } from './rules/defaults.ts';
import { occurrenceDates, seriesIdOf } from './rules/series.ts';
import { bytesOfAll, faultsOf, senseFaults, seriesSizeFaults } from './rules/validation.ts';

/**
 * Creates a draft with the default values; if it repeats, also one draft for each further occurrence. Notifies no one.
 * @throws Refused `validation_failed`
 */
export async function createEvent(deps: EventDeps, caller: Caller, input: NewEvent): Promise<SchoolEvent> {
  const school = await deps.schools.find(caller);
  const fields = withDefaults(input, school, caller);
  mustBeValid([...faultsOf(fields), ...senseFaults(fields)]);
  const event = draftOf(fields, caller, deps.clock.now());
  const changes = withOccurrences(event, caller, {});
  await applyPlan(deps, async () => changes);
  return event;
}

/** The changes that create an event and the further occurrences of its series. @throws Refused `validation_failed` */
export function withOccurrences(event: SchoolEvent, caller: Caller, data: FactData['event.created']): Change[] {
  return [created(event, caller, data), ...furtherOccurrences(event, caller, event.created_at)];
}

/** The changes that create the occurrences after the first. @throws Refused `validation_failed` */
export function furtherOccurrences(parent: SchoolEvent, caller: Caller, now: Date): Change[] {
  return addedOccurrences(parent, occurrenceDates(parent).slice(1), caller, now);
}

/**
 * The changes that add drafts on these dates to the series of `like`, with its fields.
 * @throws Refused `validation_failed` if they make the series too large
 */
export function addedOccurrences(like: SchoolEvent, dates: readonly string[], caller: Caller, now: Date): Change[] {
  const children = dates.map((date) => occurrenceOn(date, like, caller, now));
  mustBeValid(seriesSizeFaults(like, bytesOfAll([like, ...children]), children.length + 1));
  return children.map((child) => created(child, caller, { parent_event_id: seriesIdOf(like) }));
}

function created(event: SchoolEvent, caller: Caller, data: FactData['event.created']): Change {
  const head = { ...scopeOf(caller), event_id: event.id, occurred_at: event.created_at, actor: actorOf(caller) };
  return { before: null, after: event, facts: [{ ...head, type: 'event.created', data }] };
}
