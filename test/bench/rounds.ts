import { type Form, type Goal, oursOnly, type Round, type Run, type Workload } from './workload.ts';

export type Spread = { min: number; median: number; max: number };

export type Judged = Pick<Goal, 'what' | 'floor' | 'goal'> & {
  /** what the median was held to: the floor; in the short form half of it, or of what is reached */
  bound: number;
  values: Spread;
  held: boolean;
};

export type Result = {
  workload: string;
  form: 'full' | 'short';
  rounds: Round[];
  also: Record<string, Run>;
  goals: Judged[];
};

const MEMORY: Goal = {
  what: 'memory of the largest process, MB',
  floor: 256,
  goal: 160,
  lowerIsBetter: true,
  of: ({ ours }) => Math.max(...oursOnly(ours.usage).map(([, { peakMb }]) => peakMb)),
};

/**
 * Runs one workload. No further round is begun after `until` (by `performance.now`), but one is always measured.
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
    const goals = [...workload.goals, ...(hasUsage ? [MEMORY] : [])].map((goal) => judge(goal, rounds, short));
    return { workload: workload.name, form: short ? 'short' : 'full', rounds, also, goals };
  } finally {
    await opened.end();
  }
}

async function roundOf({ ours, raw }: Awaited<ReturnType<Workload['open']>>): Promise<Round> {
  const yardsticks: Record<string, Run> = {};
  for (const [name, run] of Object.entries(raw)) yardsticks[name] = await run();
  return { raw: yardsticks, ours: await ours() };
}

export function judge(goal: Goal, rounds: readonly Round[], short: boolean): Judged {
  const { what, floor, lowerIsBetter, reached = floor } = goal;
  const values = spreadOf(rounds.map((round) => goal.of(round)));
  const bound = !short ? floor : lowerIsBetter ? reached * 2 : reached / 2;
  const held = lowerIsBetter ? values.median <= bound : values.median >= bound;
  return { what, floor, goal: goal.goal, bound, values, held };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (n: number) => sorted[n] ?? Number.NaN;
  const half = sorted.length / 2;
  const median = Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half));
  return { min: at(0), median, max: at(sorted.length - 1) };
}

export type { Form };
