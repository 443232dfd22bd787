import { type Attempt, Contended } from '../core/transaction.ts';
import { storeChanges } from './apply-plan.ts';
import type { Change } from './change.ts';
import type { EventDeps, WriteTogether } from './ports.ts';

/** Changes written in one transaction at most. */
const GROUP = 50;
/** Groups on their way at once; while all of them are, changes gather. */
const GROUPS = 4;

type Waiting = { change: Change; resolve(isWritten: boolean): void; reject(error: unknown): void };

type Deps = Pick<EventDeps, 'events' | 'facts' | 'keepInStep'> & { attempt: Attempt };

/**
 * Writes changes of different events together: those that come while others are being committed share a transaction, as
 * a commit costs far more than a row (delivery.md, "Truth in MongoDB"). Comes in: a change that was planned on plain
 * reads. Guaranteed: `true` after the commit of all of it; `false` where somebody else was first with one of the group,
 * so that nothing at all was written and each has to be planned anew by itself. A group whose commit isn't known to have
 * failed is an error for everyone in it, and never tried again here.
 */
export function openTogether(deps: Deps): WriteTogether {
  const waiting: Waiting[] = [];
  let running = 0;

  const run = async () => {
    running += 1;
    // Whatever was read from sockets in this turn comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await writeGroup(deps, nextOf(waiting));
    // In the same turn as the question whether anybody waits.
    running -= 1;
  };

  return (change) =>
    new Promise((resolve, reject) => {
      waiting.push({ change, resolve, reject });
      if (running < GROUPS) void run();
    });
}

/** The first of those that wait, no event twice: of two changes of one the second is to see the first. */
function nextOf(waiting: Waiting[]): Waiting[] {
  const ids = new Set<string>();
  const group: Waiting[] = [];
  for (let at = 0; at < waiting.length && group.length < GROUP; ) {
    const one = waiting[at] as Waiting;
    if (ids.has(one.change.after.id)) at += 1;
    else {
      ids.add(one.change.after.id);
      group.push(one);
      waiting.splice(at, 1);
    }
  }
  return group;
}

/** Never rejects: whatever goes wrong is the answer to those it concerns. */
async function writeGroup(deps: Deps, group: readonly Waiting[]): Promise<void> {
  let isWhole = false;
  try {
    const changes = group.map(({ change }) => change);
    await deps.attempt(async (tx) => {
      await storeChanges(deps, changes, tx);
      isWhole = true;
    });
    for (const { resolve } of group) resolve(true);
  } catch (error) {
    const isNothingWritten = !isWhole || error instanceof Contended;
    for (const { resolve, reject } of group) isNothingWritten ? resolve(false) : reject(error);
  }
}
