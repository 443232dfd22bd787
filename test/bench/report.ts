import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Result, spreadOf } from './rounds.ts';
import { type Run, rateOf } from './workload.ts';

const FOLDER = new URL('../../bench-results/', import.meta.url);

/** Prints the results of a workload and writes them to `bench-results/NAME.json`. */
export function report(about: string, result: Result): void {
  console.log(`\n${result.workload}${result.form === 'short' ? ' (short)' : ''}: ${about}`);
  console.table(rates(result));
  const used = usage(result);
  if (Object.keys(used).length > 0) console.table(used);
  const goals = result.goals.map(({ what, values, minimum, goal, met }) => [
    what,
    { ...rounded(values), minimum, goal, '': met ? 'reached' : result.form === 'short' ? 'BELOW HALF' : 'BELOW' },
  ]);
  console.table(Object.fromEntries(goals));
  mkdirSync(FOLDER, { recursive: true });
  const kept = { ...result, at: new Date().toISOString(), cores: cpus().length, node: process.version };
  writeFileSync(new URL(`${result.workload}.json`, FOLDER), `${JSON.stringify(kept, null, 2)}\n`);
}

function rates({ rounds, also }: Result) {
  const rows: Record<string, Run[]> = { ours: rounds.map(({ ours }) => ours) };
  for (const name of Object.keys(rounds[0]?.raw ?? {})) rows[name] = rounds.flatMap(({ raw }) => raw[name] ?? []);
  for (const [name, run] of Object.entries(also)) rows[name] = [run];
  return Object.fromEntries(
    Object.entries(rows).map(([name, runs]) => {
      const { min, median, max } = spreadOf(runs.map(rateOf));
      const per = { '/s min': Math.round(min), median: Math.round(median), max: Math.round(max) };
      return [name, { ...per, ...figures(runs) }];
    }),
  );
}

const figures = (runs: readonly Run[]) =>
  Object.fromEntries(
    Object.keys(runs[0]?.figures ?? {}).map((name) => [
      name,
      short(spreadOf(runs.map((run) => run.figures?.[name] ?? Number.NaN)).median),
    ]),
  );

function usage({ rounds }: Result) {
  const runs = rounds.map(({ ours }) => ours);
  return Object.fromEntries(
    Object.keys(runs[0]?.usage ?? {}).map((name) => {
      const cpu = runs.map((run) => ((run.usage?.[name]?.cpuSeconds ?? 0) / run.count) * 1_000);
      const peak = Math.max(...runs.map((run) => run.usage?.[name]?.peakMb ?? 0));
      return [name, { 'CPU s per 1000': short(spreadOf(cpu).median), 'peak MB': Math.round(peak) }];
    }),
  );
}

const rounded = ({ min, median, max }: { min: number; median: number; max: number }) => ({
  min: short(min),
  median: short(median),
  max: short(max),
});

const short = (value: number): number => Number(value.toPrecision(3));
