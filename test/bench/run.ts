import { parseArgs } from 'node:util';
import { report } from './report.ts';
import { runWorkload } from './rounds.ts';
import type { Workload } from './workload.ts';
import { fanOutScale } from './workloads/fan-out-scale.ts';
import { growth } from './workloads/growth.ts';
import { httpCalendar, httpList, httpReads } from './workloads/http-reads.ts';
import { idle } from './workloads/idle.ts';
import { latency } from './workloads/latency.ts';
import { plan } from './workloads/plan.ts';
import { publishEmail } from './workloads/publish-email.ts';
import { publishInApp } from './workloads/publish-in-app.ts';
import { push } from './workloads/push.ts';
import { registrations } from './workloads/registrations.ts';
import { reminders } from './workloads/reminders.ts';
import { small } from './workloads/small.ts';
import { sms } from './workloads/sms.ts';
import { starts } from './workloads/starts.ts';
import { tenants } from './workloads/tenants.ts';
import { urgent } from './workloads/urgent.ts';
import { waiting } from './workloads/waiting.ts';
import { create, publishEvents } from './workloads/writes.ts';

/** Most important first: the short form may not reach the last ones. */
const WORKLOADS: readonly Workload[] = [
  publishEmail,
  registrations,
  push,
  sms,
  publishInApp,
  publishEvents,
  reminders,
  httpReads,
  httpList,
  httpCalendar,
  create,
  urgent,
  growth,
  tenants,
  small,
  fanOutScale,
  starts,
  plan,
  waiting,
  idle,
  latency,
];

/** Time limit of all short forms together; later ones are skipped with a message. */
const SHORT_MS = 20_000;

const USAGE = `npm run bench -- [NAME …] [--short]

Runs the named benchmarks, or all of them: ${WORKLOADS.map(({ name }) => name).join(', ')}.
Fails below a minimum; the short form fails below half of the minimum or of the last recorded result.
`;

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const { short } = values;
const unknown = names.filter((name) => !WORKLOADS.some((workload) => workload.name === name));
if (unknown.length > 0) throw new Error(`no benchmark "${unknown}"\n\n${USAGE}`);
const wanted = WORKLOADS.filter(({ name, forms }) =>
  names.length > 0 ? names.includes(name) : !short || forms.short !== null,
);
const missed: string[] = [];
for (const [n, workload] of wanted.entries()) {
  const left = SHORT_MS - performance.now();
  if (short && left < 0) {
    console.log(`\n${workload.name}: skipped, the time is up`);
    continue;
  }
  // Share the remaining time equally between the remaining workloads.
  const until = short ? performance.now() + left / (wanted.length - n) : undefined;
  const measured = async () => {
    const result = await runWorkload(workload, short, until);
    report(workload.about, result);
    return result;
  };
  let result = await measured();
  if (short && result.goals.some(({ met }) => !met)) {
    console.log(`\n${workload.name}: repeated, since other work on the machine may spoil one run`);
    result = await measured();
  }
  for (const { what, met } of result.goals) if (!met) missed.push(`${workload.name}: ${what}`);
}
if (missed.length > 0) {
  console.error(
    `\n${short ? 'Below half of the minimum or of the last recorded result' : 'Below the minimum'}:\n  ${missed.join('\n  ')}`,
  );
  process.exitCode = 1;
}
