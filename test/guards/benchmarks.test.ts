import { describe, expect, it } from 'vitest';
import { judge } from '../bench/rounds.ts';
import { type Goal, type Round, rateOf, rateRatio } from '../bench/workload.ts';

/** A round in which we do `rate` while the parts alone do 1,000 a second. */
const round = (rate: number): Round => ({
  ours: { count: rate, ms: 1_000 },
  raw: { parts: { count: 1_000, ms: 1_000 } },
});
const holds = (goal: Goal, rate: number, short: boolean) => judge(goal, [round(rate)], short).held;

describe('a benchmark', () => {
  const goal = rateRatio('parts', { floor: 0.4, goal: 0.8 });
  const behind = rateRatio('parts', { floor: 0.4, goal: 0.8, reached: 0.1 });

  it('fails below its floor, whatever was reached before', () => {
    for (const one of [goal, behind]) {
      expect(holds(one, 400, false)).toBe(true);
      expect(holds(one, 390, false)).toBe(false);
    }
  });

  it('fails in its short form below half of the floor, or below half of what was reached', () => {
    expect(holds(goal, 200, true)).toBe(true);
    expect(holds(goal, 190, true)).toBe(false);
    expect(holds(behind, 50, true)).toBe(true);
    expect(holds(behind, 40, true)).toBe(false);
  });

  it('fails above its floor where less is better', () => {
    const late: Goal = { what: 'late', floor: 2, goal: 1, lowerIsBetter: true, of: ({ ours }) => rateOf(ours) };
    expect(holds(late, 2, false)).toBe(true);
    expect(holds(late, 3, false)).toBe(false);
    expect(holds(late, 4, true)).toBe(true);
    expect(holds(late, 5, true)).toBe(false);
  });

  it('is judged by the middle of its rounds', () => {
    const values = judge(goal, [round(100), round(500), round(600)], false).values;
    expect(values).toEqual({ min: 0.1, median: 0.5, max: 0.6 });
  });
});
