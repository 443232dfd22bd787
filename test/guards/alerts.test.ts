import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alerts, metricsIn, panels } from './named-metrics.ts';
import { textOf } from './text-of.ts';

const runbooks = textOf('docs/runbooks.md');
const sections = new Map(
  runbooks
    .split(/^## /m)
    .slice(1)
    .map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text]),
);

test('every alert has a runbook that says what it means, what to look at and what to do', () => {
  for (const { alert, annotations } of alerts()) {
    expect(annotations.runbook, alert).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    for (const part of ['**Means**', '**Look at**', '**Do**']) expect(sections.get(alert), alert).toContain(part);
  }
  const withAlert = [...sections.keys()].filter((name) => name.startsWith('Schoolbell'));
  expect(withAlert.sort()).toEqual(
    alerts()
      .map(({ alert }) => alert)
      .sort(),
  );
});

test('every alert says how urgent it is, and each has a test of its own', () => {
  const tests = textOf('deploy/prometheus/schoolbell.rules.test.yml');
  for (const { alert, labels } of alerts()) {
    expect(['page', 'ticket'], alert).toContain(labels.severity);
    expect(tests, alert).toContain(`alertname: ${alert}`);
  }
});

test('the document of metrics names every metric of the alerts and the dashboard', () => {
  const shown = [...alerts(), ...panels().flatMap(({ targets }) => targets)].flatMap(({ expr }) => metricsIn(expr));
  const ours = shown.filter((name) => name.startsWith('schoolbell_'));
  expect(ours.length).toBeGreaterThan(20);
  expect(ours.filter((name) => !metricsIn(runbooks).includes(name))).toEqual([]);
});

const has = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;
const promtool = (...args: string[]) =>
  spawnSync('promtool', args, { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' });

test.skipIf(!has('promtool'))('promtool accepts the alerts and their tests (skipped without promtool)', () => {
  for (const args of [
    ['check', 'rules', 'deploy/prometheus/schoolbell.rules.yml'],
    ['test', 'rules', 'deploy/prometheus/schoolbell.rules.test.yml'],
  ]) {
    const { status, stdout, stderr } = promtool(...args);
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});
