import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm run chart`: renders the chart with each file of values in ci/ and checks the result against the schemas of Kubernetes.
// Needs helm, and kubernetes-validate from PyPI, which brings the schemas.

const CHART = fileURLToPath(new URL('../../deploy/helm/schoolbell', import.meta.url));
/** The oldest version that the chart allows, and the newest that has a schema. */
const KUBERNETES = ['1.25', '1.37'];

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const folder = mkdtempSync(join(tmpdir(), 'schoolbell-chart-'));
try {
  for (const name of readdirSync(`${CHART}/ci`)) {
    const values = ['-f', `${CHART}/ci/${name}`];
    run('helm', ['lint', '--strict', CHART, ...values]);
    const file = join(folder, name);
    for (const version of KUBERNETES) {
      writeFileSync(file, run('helm', ['template', 'schoolbell', CHART, '--kube-version', version, ...values]));
      run('kubernetes-validate', ['--strict', '--no-warn', '-k', version, file]);
    }
    process.stdout.write(`${name}: valid for Kubernetes ${KUBERNETES.join(' and ')}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
