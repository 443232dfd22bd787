import { unlessContended } from '../core/transaction.ts';
import { ZONE_RULES } from '../core/zoned-time.ts';
import { scopeOf } from '../people/caller.ts';
import { type Change, storeChanges } from './apply-plan.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps, InstallationNotes } from './ports.ts';
import { instantsOf } from './rules/schedule.ts';

const BATCH = 200;
const NOTE = 'zone rules';

type RederiveDeps = EventDeps & { notes: InstallationNotes };

/**
 * After an update of the time zone database, derives start and end of future events again, because people entered the wall
 * clock. An event whose instants move gets a new schedule version, so that its reminders are planned again; no one is
 * notified, because its wall-clock time is unchanged. Runs once per version of the database, in any process; skips versions
 * older than the last one applied.
 * @returns ids of the events whose instants moved
 */
export async function rederiveInstants(
  deps: RederiveDeps,
  derive: typeof instantsOf = instantsOf,
  version: string = ZONE_RULES,
): Promise<string[]> {
  const known = await deps.notes.read(NOTE);
  if (known !== null && known >= version) return [];
  const moved: string[] = [];
  let after: string | null = null;
  for (;;) {
    const events: SchoolEvent[] = await deps.events.findDerivedBefore(version, after, BATCH);
    for (const event of events.filter((one) => isMoved(one, derive))) {
      if (!(await rederiveOne(deps, event.id, derive))) return moved; // contended: the next sweep continues
      moved.push(event.id);
    }
    const right = events.filter((one) => !isMoved(one, derive));
    await deps.events.markDerived(right, version);
    if (events.length < BATCH) break;
    after = events.at(-1)?.id ?? null;
  }
  await deps.notes.write(NOTE, version);
  return moved;
}

const rederiveOne = (deps: RederiveDeps, id: string, derive: typeof instantsOf): Promise<boolean> =>
  unlessContended(
    deps.transactOnce(async (tx) => {
      const [event] = await deps.events.findMany([id], tx);
      if (event && isMoved(event, derive)) await storeChanges(deps, [rederived(event, deps.clock.now(), derive)], tx);
      return true;
    }),
    false,
  );

function isMoved(event: SchoolEvent, derive: typeof instantsOf): boolean {
  const { starts_at, ends_at } = derive(event);
  return starts_at.getTime() !== event.starts_at.getTime() || ends_at.getTime() !== event.ends_at.getTime();
}

/** The change of an event to newly derived instants. */
function rederived(event: SchoolEvent, now: Date, derive: typeof instantsOf): Change {
  const instants = derive(event);
  const after: SchoolEvent = {
    ...event,
    ...instants,
    postponed_to: event.postponed_to === null ? null : instants.starts_at,
    updated_at: now,
    version: event.version + 1,
    schedule_version: event.schedule_version + 1,
  };
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: now, actor: 'system' as const };
  return {
    before: event,
    after,
    facts: [{ ...head, type: 'event.edited', data: { fields: ['starts_at', 'ends_at'] } }],
  };
}
