import { invalid } from '../kernel/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import { draftOf, type NewEvent, withDefaults } from './defaults.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';
import { faultsOf } from './validation.ts';

/**
 * Creates a draft with the defaults of §2.10. Stored together with its fact; nobody is told.
 * @throws Refused `forbidden`, `validation_failed`
 */
export async function createEvent(deps: EventDeps, caller: Caller, input: NewEvent): Promise<SchoolEvent> {
  mustBeAllowed(caller, 'create_event');
  const school = await deps.schools.find(caller);
  const fields = withDefaults(input, school, caller);
  const faults = faultsOf(fields);
  if (faults.length > 0) throw invalid(faults);
  const now = deps.clock.now();
  const event = draftOf(fields, caller, now);
  return deps.transact(async (tx) => {
    await deps.events.insert([event], tx);
    const head = { ...scopeOf(caller), event_id: event.id, occurred_at: now, actor: actorOf(caller) };
    await deps.facts.record([{ ...head, type: 'event.created', data: {} }], tx);
    return event;
  });
}
