import { notFound } from '../kernel/errors.ts';
import type { Caller } from '../people/caller.ts';
import { maySee } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';
import { publishIfDue } from './pass-time.ts';
import type { EventDeps } from './ports.ts';

/**
 * One event the caller may see, as it should be by now: a publication the clock has not come to yet is settled first
 * (decisions.md, "draft → scheduled").
 * @throws Refused `not_found`
 */
export async function readEvent(deps: EventDeps, caller: Caller, id: string): Promise<SchoolEvent> {
  const found = await deps.events.find(caller, id);
  const event = found && (await publishIfDue(deps, found));
  if (!event || !maySee(caller, event)) throw notFound();
  return event;
}
