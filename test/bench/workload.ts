import type { Usage } from './usage.ts';

/**
 * A benchmark: one of our workloads and its baseline, the raw speed of its parts, measured in one run on one machine. To
 * add one, write `workloads/NAME.ts` that exports a `Workload`, and list it in `run.ts`. `rounds.ts` warms up once, then
 * alternates baseline and workload. `report.ts` prints rates, ratios (lowest, median, highest), CPU per thousand messages
 * and peak memory of each process, and writes `bench-results/NAME.json`. `run.ts` fails below a goal's minimum (in the short
 * form, below half of it or of the last recorded result).
 */
export type Workload = {
  name: string;
  /** one line above its table */
  about: string;
  goals: readonly Goal[];
  /** CI runs the short form within seconds; null if only the full size makes sense */
  forms: { full: Form; short: Form | null };
  open(form: Form): Promise<Opened>;
};

/** `count` is the workload's own measure of size; `rounds` does not count the warm-up. */
type Form = { count: number; rounds: number };

type Opened = {
  ours(): Promise<Run>;
  /** baselines by name: the parts alone */
  raw: Readonly<Record<string, () => Promise<Run>>>;
  /** further runs of ours that are shown without a goal; not in the short form */
  also?: Readonly<Record<string, () => Promise<Run>>>;
  end(): Promise<void>;
};

/** One measured run. */
export type Run = {
  /** messages, registrations, requests … */
  count: number;
  ms: number;
  /** use of each process during this run; its memory is the peak since its start */
  usage?: Readonly<Record<string, Usage>>;
  /** other measurements, by name; the name ends with the unit */
  figures?: Readonly<Record<string, number>>;
};

/** One round: ours and every baseline, one after the other. */
export type Round = { ours: Run; raw: Readonly<Record<string, Run>> };

/** The median over the rounds must not be worse than `minimum`: a lower bound, or an upper one with `lowerIsBetter`. */
export type Goal = {
  what: string;
  minimum: number;
  goal: number;
  /** last recorded result, if it is below the minimum: the short form requires half of it, so that it does not get worse */
  recorded?: number;
  /** seconds, megabytes, cost: less is better */
  lowerIsBetter?: true;
  of(round: Round): number;
};

export const rateOf = ({ count, ms }: Run): number => (count / ms) * 1_000;

/** Our rate divided by the baseline's. */
export const rateRatio = (raw: string, bounds: Pick<Goal, 'minimum' | 'goal' | 'recorded'>): Goal => ({
  what: `rate ÷ ${raw}`,
  ...bounds,
  of: (round) => rateOf(round.ours) / rateOf(runOf(round, raw)),
});

/** CPU of our processes per message divided by the baseline's. */
export const cpuRatio = (raw: string, bounds: Pick<Goal, 'minimum' | 'goal' | 'recorded'>): Goal => ({
  what: `CPU per message ÷ ${raw}`,
  ...bounds,
  lowerIsBetter: true,
  of: (round) => cpuPerMessage(round.ours) / cpuPerMessage(runOf(round, raw)),
});

/** A goal for a figure of our own run. */
export const figure = (name: string, bound: { minimum: number; goal: number; lowerIsBetter?: true }): Goal => ({
  what: name,
  ...bound,
  of: ({ ours }) => ours.figures?.[name] ?? Number.NaN,
});

function runOf({ raw }: Round, name: string): Run {
  const run = raw[name];
  if (!run) throw new Error(`no baseline "${name}"`);
  return run;
}

/** CPU and memory of servers and sinks are shown but not counted. */
const NOT_OURS = new Set(['mongod', 'redis', 'smtp sink']);

export const oursOnly = (usage: Run['usage'] = {}): [string, Usage][] =>
  Object.entries(usage).filter(([name]) => !NOT_OURS.has(name));

const cpuPerMessage = (run: Run): number => cpuPerMessageOf(run, NOT_OURS);

/** Seconds of CPU per message, without these processes. */
export const cpuPerMessageOf = ({ usage = {}, count }: Run, leftOut: ReadonlySet<string>): number =>
  Object.entries(usage).reduce((sum, [name, { cpuSeconds }]) => (leftOut.has(name) ? sum : sum + cpuSeconds), 0) /
  count;

/** The value below which this share of sorted milliseconds lies, in seconds. */
export const secondsAt = (sorted: readonly number[], share: number): number =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) / 1_000;

/** The use between two measurements. */
export const usedBetween = (before: Record<string, Usage>, after: Record<string, Usage>): Record<string, Usage> =>
  Object.fromEntries(
    Object.entries(after).map(([name, usage]) => [
      name,
      { ...usage, cpuSeconds: usage.cpuSeconds - (before[name]?.cpuSeconds ?? 0) },
    ]),
  );
