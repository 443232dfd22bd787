import { describe, expect, it } from 'vitest';
import { evaluate } from '../bench/rounds.ts';
import { type Goal, type Round, rateOf, rateRatio } from '../bench/workload.ts';

/** A round in which we reach `rate` and the baseline 1,000 a second. */
const round = (rate: number): Round => ({
  ours: { count: rate, ms: 1_000 },
  raw: { parts: { count: 1_000, ms: 1_000 } },
});
const holds = (goal: Goal, rate: number, short: boolean) => evaluate(goal, [round(rate)], short).met;

describe('a benchmark', () => {
  const goal = rateRatio('parts', { minimum: 0.4, goal: 0.8 });
  const behind = rateRatio('parts', { minimum: 0.4, goal: 0.8, recorded: 0.1 });

  it('fails below its minimum, whatever was recorded before', () => {
    for (const one of [goal, behind]) {
      expect(holds(one, 400, false)).toBe(true);
      expect(holds(one, 390, false)).toBe(false);
    }
  });

  it('fails in its short form below half of the minimum, or half of the recorded result', () => {
    expect(holds(goal, 200, true)).toBe(true);
    expect(holds(goal, 190, true)).toBe(false);
    expect(holds(behind, 50, true)).toBe(true);
    expect(holds(behind, 40, true)).toBe(false);
  });

  it('fails above its bound if lower is better', () => {
    const late: Goal = { what: 'late', minimum: 2, goal: 1, lowerIsBetter: true, of: ({ ours }) => rateOf(ours) };
    expect(holds(late, 2, false)).toBe(true);
    expect(holds(late, 3, false)).toBe(false);
    expect(holds(late, 4, true)).toBe(true);
    expect(holds(late, 5, true)).toBe(false);
  });

  it('is evaluated by the median of its rounds', () => {
    const values = evaluate(goal, [round(100), round(500), round(600)], false).values;
    expect(values).toEqual({ min: 0.1, median: 0.5, max: 0.6 });
  });
});
