import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RowResult, rowLine, unknownRows } from './harness/row-result.ts';

const USAGE = `npm run faults -- [--seed N] [--only ROW …] [--size small|full]

Breaks the running product in every way that docs/delivery.md lists and checks what it promises. Prints a line for each
row with its seed and exits with 1 when one fails. Without --seed a new one is chosen; the same seed breaks the same things.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', multiple: true, default: [] },
    size: { type: 'string', default: 'small' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const only = [...values.only, ...positionals];
if (!/^\d+$/.test(values.seed)) throw new Error('--seed must be a whole number');
if (!['small', 'full'].includes(values.size)) throw new Error('--size must be small or full');

const folder = mkdtempSync(join(tmpdir(), 'schoolbell-faults-'));
const report = join(folder, 'report.jsonl');
const log = join(folder, 'log.jsonl');
const rows = only.length > 0 ? ['-t', `^(${only.join('|')}): `] : [];
process.stdout.write(`seed ${values.seed}, size ${values.size}\n`);
// One file after the other, because files that share the processors would miss their time limits.
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'faults', '--no-file-parallelism', ...rows], {
  stdio: 'inherit',
  env: {
    ...process.env,
    FAULTS_SEED: values.seed,
    FAULTS_SIZE: values.size,
    FAULTS_REPORT: report,
    FAULTS_LOG: log,
  },
});
const results = (existsSync(report) ? readFileSync(report, 'utf8') : '')
  .split('\n')
  .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as RowResult)));
const unknown = unknownRows(only, results);
if (unknown.length > 0) {
  const env = { ...process.env, FAULTS_SEED: values.seed };
  const listed = spawnSync('npx', ['vitest', 'list', '--project', 'faults'], { encoding: 'utf8', env });
  const rows = [...listed.stdout.matchAll(/ > ([\w-]+): /g)].map(([, row]) => row);
  process.stderr.write(`There is no row ${unknown.join(', ')}. The rows are: ${rows.join(', ')}\n`);
  process.exit(1);
}
process.stdout.write(`\n${results.map(rowLine).join('\n')}\n`);
if (status === 0) rmSync(folder, { recursive: true });
else process.stdout.write(`\nThe logs of all processes: ${log}\n`);
process.exit(status ?? 1);
