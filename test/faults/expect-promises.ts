import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { World } from '../support/world.ts';
import { backlogOf, checkSchool, type Findings } from './findings.ts';
import type { Row } from './row.ts';
import type { School } from './school.ts';

export type Promises = {
  /** copies that the fault may cost, by channel; none where nothing is said */
  copies?: Partial<Record<'email' | 'sms' | 'push', number>>;
  /** the backlog is empty so long after the fault has ended, in milliseconds; 60 s where nothing is said */
  atRestWithinMs?: number;
};

/** A request whose process or database was lost is answered to the same key after this. */
const IN_FLIGHT_MS = 20_000;
const AT_REST_WITHIN_MS = 60_000;
/** A row that misses its time is watched for longer, so that the report tells by how much. */
const WATCHED_MS = 180_000;
const CLEAN: Findings = { lost: [], unexpected: [], repeated: [], stale: [], forgotten: [], seats: [], answers: [] };

/** The five minutes for which a lost SMS is waited for pass at once: they are the provider's, and no fault of ours. */
const passSmsWait = (world: World, { scope }: School) =>
  world.database
    .collection('deliveries')
    .updateMany({ tenant_id: scope.tenant_id, channel: 'sms', status: 'unknown' } as never, {
      $set: { due_at: new Date(0) },
    });

/** Waits until nothing of these schools is under way. @returns how long that took, in milliseconds */
export async function untilAtRest(world: World, schools: readonly School[], from = Date.now()): Promise<number> {
  for (;;) {
    await Promise.all(schools.map((school) => passSmsWait(world, school)));
    const left = await Promise.all(schools.map((school) => backlogOf(world, school)));
    const took = Date.now() - from;
    if (left.every((count) => count === 0)) return took;
    if (took > WATCHED_MS) throw new Error(`${left.join(' + ')} messages are not at rest after ${took / 1_000} s`);
    await delay(100);
  }
}

/**
 * Waits until a school is at rest and holds everything it was promised against what was received. Notes copies and
 * seconds in the report of the row.
 * @param since when the fault ended, in milliseconds; now where nothing is said
 */
export async function expectPromises(
  { note }: Pick<Row, 'note'>,
  world: World,
  school: School,
  { copies: budget = {}, atRestWithinMs = AT_REST_WITHIN_MS }: Promises = {},
  since = Date.now(),
): Promise<void> {
  const tookMs = await untilAtRest(world, [school], since);
  const { findings, copies } = await checkSchool(world, school);
  note({
    copies: Object.values(copies).reduce((sum, count) => sum + count, 0),
    'at rest after': `${(tookMs / 1_000).toFixed(1)} s`,
    'key in flight': `${(school.ledger.inFlightMs / 1_000).toFixed(1)} s`,
    'slowest answer': `${(school.ledger.slowestMs / 1_000).toFixed(1)} s`,
  });
  expect(findings).toEqual(CLEAN);
  const excess = Object.entries(copies).filter(([channel, count]) => count > (budget[channel as 'email'] ?? 0));
  expect(excess, 'copies beyond the budget').toEqual([]);
  expect(school.ledger.inFlightMs, 'ms for which a key was in flight').toBeLessThanOrEqual(IN_FLIGHT_MS);
  expect(tookMs, 'ms until everything was at rest').toBeLessThanOrEqual(atRestWithinMs);
}
