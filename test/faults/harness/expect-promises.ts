import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { World } from '../../support/world.ts';
import { backlogOf, checkSchool, type Findings } from './findings.ts';
import { limitMs, type Row } from './row.ts';
import type { School } from './school.ts';

type Promises = {
  /** second copies that the fault may cause, by channel; default: none */
  copies?: Partial<Record<'email' | 'sms' | 'push', number>>;
  /** time limit for an empty backlog after the fault has ended, in milliseconds; default: 60 s */
  atRestWithinMs?: number;
};

/** A request whose process or database was lost is answered to the same key after this. */
const IN_FLIGHT_MS = 20_000;
const AT_REST_WITHIN_MS = 60_000;
/** A row that misses its time is watched for longer, so that the report says by how much. */
const WATCHED_MS = 180_000;
const CLEAN: Findings = { lost: [], unexpected: [], repeated: [], stale: [], forgotten: [], seats: [], answers: [] };

/** Skips the five minutes that a lost SMS waits for the provider. */
const passSmsWait = (world: World, { scope }: School) =>
  world.database
    .collection('deliveries')
    .updateMany({ tenant_id: scope.tenant_id, channel: 'sms', status: 'unknown' } as never, {
      $set: { due_at: new Date(0) },
    });

/** Waits until all work of these schools is finished. @returns how long that took, in milliseconds */
export async function waitForRest(world: World, schools: readonly School[], from = Date.now()): Promise<number> {
  for (;;) {
    await Promise.all(schools.map((school) => passSmsWait(world, school)));
    const left = await Promise.all(schools.map((school) => backlogOf(world, school)));
    const took = Date.now() - from;
    if (left.flat().length === 0) return took;
    if (took > WATCHED_MS) throw new Error(`not at rest after ${took / 1_000} s: ${left.flat().join(', ')}`);
    await delay(250);
  }
}

/**
 * Waits until all work of a school is finished and compares everything it was promised with the received messages. Notes
 * copies and seconds in the report of the row.
 * @param since when the fault ended, in milliseconds; default: now
 */
export async function expectPromises(
  { note }: Pick<Row, 'note'>,
  world: World,
  school: School,
  { copies: budget = {}, atRestWithinMs = AT_REST_WITHIN_MS }: Promises = {},
  since = Date.now(),
): Promise<void> {
  const tookMs = await waitForRest(world, [school], since);
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
  expect(school.ledger.inFlightMs, 'ms for which a key was in flight').toBeLessThanOrEqual(limitMs(IN_FLIGHT_MS));
  expect(tookMs, 'ms until everything was at rest').toBeLessThanOrEqual(limitMs(atRestWithinMs));
}
