import { type Goal, oursOnly, type Round, type Run, type Workload } from './workload.ts';

type Spread = { min: number; median: number; max: number };

type Evaluation = Pick<Goal, 'what' | 'minimum' | 'goal'> & {
  /** bound for the median: the minimum; in the short form half of it, or half of the last recorded result */
  bound: number;
  values: Spread;
  met: boolean;
};

export type Result = {
  workload: string;
  form: 'full' | 'short';
  rounds: Round[];
  also: Record<string, Run>;
  goals: Evaluation[];
};

const MEMORY: Goal = {
  what: 'memory of the largest process, MB',
  minimum: 256,
  goal: 160,
  lowerIsBetter: true,
  of: ({ ours }) => Math.max(...oursOnly(ours.usage).map(([, { peakMb }]) => peakMb)),
};

/**
 * Runs one workload. Starts no round after `until` (by `performance.now`), but measures at least one.
 */
export async function runWorkload(
  workload: Workload,
  short: boolean,
  until = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const form = short ? workload.forms.short : workload.forms.full;
  if (!form) throw new Error(`${workload.name} has no short form`);
  const opened = await workload.open(form);
  try {
    await roundOf(opened);
    const rounds: Round[] = [];
    while (rounds.length < form.rounds && (rounds.length === 0 || performance.now() < until))
      rounds.push(await roundOf(opened));
    const also: Record<string, Run> = {};
    if (!short) for (const [name, run] of Object.entries(opened.also ?? {})) also[name] = await run();
    const hasUsage = rounds.every(({ ours }) => oursOnly(ours.usage).length > 0);
    const goals = [...workload.goals, ...(hasUsage ? [MEMORY] : [])].map((goal) => evaluate(goal, rounds, short));
    return { workload: workload.name, form: short ? 'short' : 'full', rounds, also, goals };
  } finally {
    await opened.end();
  }
}

async function roundOf({ ours, raw }: Awaited<ReturnType<Workload['open']>>): Promise<Round> {
  const baselines: Record<string, Run> = {};
  for (const [name, run] of Object.entries(raw)) baselines[name] = await run();
  return { raw: baselines, ours: await ours() };
}

export function evaluate(goal: Goal, rounds: readonly Round[], short: boolean): Evaluation {
  const { what, minimum, lowerIsBetter, recorded = minimum } = goal;
  const values = spreadOf(rounds.map((round) => goal.of(round)));
  const bound = !short ? minimum : lowerIsBetter ? recorded * 2 : recorded / 2;
  const met = lowerIsBetter ? values.median <= bound : values.median >= bound;
  return { what, minimum, goal: goal.goal, bound, values, met };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (n: number) => sorted[n] ?? Number.NaN;
  const half = sorted.length / 2;
  const median = Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half));
  return { min: at(0), median, max: at(sorted.length - 1) };
}
