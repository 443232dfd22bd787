import { appendFileSync } from 'node:fs';
import { test } from 'vitest';
import { type RowResult, rowLine } from './row-result.ts';

export type Row = {
  /** Gives the same numbers for the same seed and row. */
  random: Random;
  size: typeof sizeOf;
  /** Adds figures to the report, even if a check fails later. */
  note(figures: RowResult['figures']): void;
};

const { FAULTS_SEED, FAULTS_SIZE, FAULTS_REPORT } = process.env;
const SEED = Number(FAULTS_SEED ?? 1);
const SIZE = FAULTS_SIZE === 'full' ? 'full' : 'small';
/** The number for `--size full`, or the one for `--size small`. */
export const sizeOf = (full: number, small: number): number => (SIZE === 'full' ? full : small);
/** Whether `npm run faults` runs, and not CI. */
export const IS_SUITE = FAULTS_SEED !== undefined;
/** A limit of seconds. CI runs other tests on the same two cores: a send may time out there and is repeated after a minute. */
export const limitMs = (ms: number): number => (IS_SUITE ? ms : Math.max(ms, 120_000));
const LIMIT_MS = SIZE === 'full' ? 3_600_000 : 300_000;

/**
 * Defines a row of the fault suite. `npm run faults` runs every row; CI runs the rows with `inCi`, in their small size.
 * @param name what `--only` takes
 * @param result the expectation despite the fault: the title of the test
 */
export function row(
  name: string,
  result: string,
  work: (row: Row) => Promise<void>,
  { inCi = false }: { inCi?: boolean } = {},
): void {
  test.skipIf(!inCi && !IS_SUITE)(
    `${name}: ${result}`,
    async () => {
      const figures: RowResult['figures'] = {};
      const began = Date.now();
      let failure: string | null = null;
      try {
        await work({
          random: seededRandom(`${SEED} ${name}`),
          size: sizeOf,
          note: (more) => void Object.assign(figures, more),
        });
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        throw error;
      } finally {
        const seconds = Math.round((Date.now() - began) / 100) / 10;
        report({ row: name, seed: SEED, size: SIZE, seconds, figures, failure });
      }
    },
    LIMIT_MS,
  );
}

function report(result: RowResult): void {
  if (FAULTS_REPORT) appendFileSync(FAULTS_REPORT, `${JSON.stringify(result)}\n`);
  else console.log(rowLine(result));
}

export type Random = ReturnType<typeof seededRandom>;

/** Numbers that the seed determines (mulberry32). */
function seededRandom(seed: string) {
  let state = 0;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** At least `from`, less than `to`. */
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  return {
    next,
    int,
    shuffled<T>(all: readonly T[]): T[] {
      const mixed = [...all];
      for (let i = mixed.length - 1; i > 0; i -= 1) {
        const j = int(0, i + 1);
        [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
      }
      return mixed;
    },
  };
}
