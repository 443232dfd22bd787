import { afterAll, afterEach, beforeAll } from 'vitest';
import { EACH_WORKER, LEASE_MS, type OwnWorld, startWorld } from '../../support/world.ts';
import { IS_SUITE } from './row.ts';

/** Second copies that one kill of a worker may cause: as many as it has connections. */
export const COPIES_A_KILL = 20;
/** Time within which everything is at rest after a kill. */
export const REST_MS = 6 * LEASE_MS;

/** The world of the file that runs; begun by `startEachWorker`. */
export let world: OwnWorld;

/** Starts a world with each worker for the rows of a file, in CI in one process; its servers behave again after each row. */
export function startEachWorker(): void {
  beforeAll(async () => {
    world = await startWorld(IS_SUITE ? { start: EACH_WORKER } : {});
  });
  afterAll(() => world?.end());
  afterEach(() => {
    world.smtp.misbehave(undefined);
    world.push.misbehave(undefined);
    world.twilio.misbehave(undefined);
  });
}
