import type { Usage } from './usage.ts';

/**
 * What a benchmark is: a workload of ours beside the raw limit of the parts it is built on, measured in one run on one
 * machine. To add one: write `test/bench/NAME.ts` that exports a `Workload`, and list it in `test/bench/run.ts`. The
 * frame (`rounds.ts`) warms up once, then alternates raw and ours for as many rounds as the form says, prints rates,
 * ratios with minimum, median and maximum, CPU per thousand messages and peak memory of each process, writes
 * `bench-results/NAME.json`, and fails where a goal's floor (in the short form, half of it or of what is reached) isn't held.
 */
export type Workload = {
  name: string;
  /** one line above its table */
  about: string;
  goals: readonly Goal[];
  /** what CI runs within seconds; null for what makes sense only at full size */
  forms: { full: Form; short: Form | null };
  open(form: Form): Promise<Opened>;
};

/** `count` is the workload's own measure of size; `rounds` are counted after one that warms up. */
export type Form = { count: number; rounds: number };

export type Opened = {
  ours(): Promise<Run>;
  /** yardsticks by name: what the parts alone do */
  raw: Readonly<Record<string, () => Promise<Run>>>;
  /** further things of ours that are shown and held to nothing; not in the short form */
  also?: Readonly<Record<string, () => Promise<Run>>>;
  end(): Promise<void>;
};

/** One measured run. */
export type Run = {
  /** messages, registrations, requests … */
  count: number;
  ms: number;
  /** what each process used during this run; its memory is the peak since its start */
  usage?: Readonly<Record<string, Usage>>;
  /** whatever else was measured, by name and in the unit the name tells */
  figures?: Readonly<Record<string, number>>;
};

/** One round: ours and every yardstick, one after the other. */
export type Round = { ours: Run; raw: Readonly<Record<string, Run>> };

/** A row of the budget: the median over the rounds must not be worse than `floor`. */
export type Goal = {
  what: string;
  floor: number;
  goal: number;
  /** What we come to where that is not the floor yet: the short form holds half of it, so that nothing is lost meanwhile. */
  reached?: number;
  /** seconds, megabytes, cost: less is better */
  lowerIsBetter?: true;
  of(round: Round): number;
};

export const rateOf = ({ count, ms }: Run): number => (count / ms) * 1_000;

/** Our rate as a part of a yardstick's. */
export const rateRatio = (raw: string, bounds: Pick<Goal, 'floor' | 'goal' | 'reached'>): Goal => ({
  what: `rate ÷ ${raw}`,
  ...bounds,
  of: (round) => rateOf(round.ours) / rateOf(runOf(round, raw)),
});

/** CPU of our processes per message as a part of a yardstick's. */
export const cpuRatio = (raw: string, bounds: Pick<Goal, 'floor' | 'goal' | 'reached'>): Goal => ({
  what: `CPU per message ÷ ${raw}`,
  ...bounds,
  lowerIsBetter: true,
  of: (round) => cpuPerMessage(round.ours) / cpuPerMessage(runOf(round, raw)),
});

/** Something measured in our own run, held to a bound. */
export const figure = (name: string, bound: { floor: number; goal: number; lowerIsBetter?: true }): Goal => ({
  what: name,
  ...bound,
  of: ({ ours }) => ours.figures?.[name] ?? Number.NaN,
});

function runOf({ raw }: Round, name: string): Run {
  const run = raw[name];
  if (!run) throw new Error(`no yardstick "${name}"`);
  return run;
}

/** Servers and sinks aren't ours: their CPU and memory are shown, and count for nothing. */
const NOT_OURS = new Set(['mongod', 'redis', 'smtp sink']);

export const oursOnly = (usage: Run['usage'] = {}): [string, Usage][] =>
  Object.entries(usage).filter(([name]) => !NOT_OURS.has(name));

const cpuPerMessage = (run: Run): number => cpuPerMessageOf(run, NOT_OURS);

/** Seconds of CPU, without these processes'. */
export const cpuPerMessageOf = ({ usage = {}, count }: Run, leftOut: ReadonlySet<string>): number =>
  Object.entries(usage).reduce((sum, [name, { cpuSeconds }]) => (leftOut.has(name) ? sum : sum + cpuSeconds), 0) /
  count;

/** What was used between two looks. */
export const usedBetween = (before: Record<string, Usage>, after: Record<string, Usage>): Record<string, Usage> =>
  Object.fromEntries(
    Object.entries(after).map(([name, { cpuSeconds, peakMb }]) => [
      name,
      { cpuSeconds: cpuSeconds - (before[name]?.cpuSeconds ?? 0), peakMb },
    ]),
  );
