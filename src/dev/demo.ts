import { mapBy } from '../core/groups.ts';
import { runDay } from './acceptance/day.ts';
import { findFaults, receivedLines, untilAtRest } from './acceptance/report.ts';
import { apiClient } from './api-client.ts';
import { type Lifetime, type RunOptions, readRunOptions, runUntilStopped } from './lifetime.ts';
import { printAddresses, printClientAddresses, startLocalSchool } from './local-school.ts';
import { progressOn } from './progress.ts';
import { callerOf, DEMO_SCOPE, type DemoPerson, idOf } from './school/demo-person.ts';
import { demoSchool } from './school/demo-school.ts';
import { loadSchool, type Tokens } from './school/load-school.ts';
import type { System } from './system.ts';
import { permissionsOf } from './token-claims.ts';

const USAGE = `npm run demo -- [--once] [--port N] [--metrics]

  --once     exit after the report, with code 1 if a message is missing, doubled or unexpected
  --port N   the port of the API; a free one by default
  --metrics  serve /metrics of every process, each on a port of its own
`;

const progress = progressOn(process.stdout, process.env);

/** Starts the whole service on this machine and plays a school day whose messages are checked. */
async function demo(lifetime: Lifetime, options: RunOptions): Promise<number> {
  const directory = demoSchool();
  progress.heading('Schoolbell: the whole service on this machine');
  const nameOf = namesByAddress(directory);
  const school = await startLocalSchool(lifetime, progress, { ...options, nameOf });
  const { system } = school;
  progress.print(`  Ready after ${seconds()} s.`);
  printClientAddresses(system, progress);

  const tokens = await signTokens(directory, system.token);
  const { signal } = lifetime;
  const ask = apiClient(system.apiUrl, signal);
  const scene = { ask, tokens, directory, system, progress, signal };

  progress.heading('A school');
  await loadSchool(scene);
  progress.heading('A day');
  const events = await runDay(scene);
  const sent = await progress.step('No message is on its way', () =>
    Promise.all(events.map(async (event) => ({ event, rows: await untilAtRest(scene, event.id) }))),
  );

  const { paint } = progress;
  progress.heading('Received messages');
  for (const line of receivedLines(sent, directory, paint)) progress.print(line);
  progress.heading('Check');
  const faults = sent.flatMap(({ event, rows }) => findFaults(event, rows, system));
  for (const fault of faults) progress.print(`  ${paint('red', '✗')} ${fault}`);
  const count = sent.flatMap(({ rows }) => rows.filter(({ status }) => status === 'sent')).length;
  if (faults.length === 0)
    progress.print(`  ${paint('green', '✓')} ${count} messages arrived, each once; ${seconds()} s`);
  if (options.once) return faults.length === 0 ? 0 : 1;
  printAddresses(school, tokens.staff, `/operations/events/${events[1]?.id}`, progress);
  await lifetime.untilStopped();
  return 0;
}

async function signTokens(directory: readonly DemoPerson[], token: System['token']): Promise<Tokens> {
  const head = { ...DEMO_SCOPE, user_id: idOf('Alena Horáková'), roles: ['admin', 'staff'] as const };
  const signed = await Promise.all(
    directory.map(async (person) => [person.user_id, await token(callerOf(person, directory))] as const),
  );
  const byUser = new Map(signed);
  const staff = await token({ ...head, permissions: permissionsOf('admin') });
  return { staff, of: (user_id) => byUser.get(user_id) ?? '' };
}

/** Names of the people at an address, for the page of received messages. */
function namesByAddress(directory: readonly DemoPerson[]): (address: string) => string | undefined {
  const people = mapBy(directory, ({ user_id, email, phone }) => [user_id, email ?? [], phone ?? []].flat());
  const named = (found: readonly DemoPerson[]) => found.map(({ name }) => name).join(' & ');
  return (address) => named(people.get(address) ?? []) || undefined;
}

const seconds = (): string => process.uptime().toFixed(1);

const options = readRunOptions(USAGE);
if (options) await runUntilStopped((lifetime) => demo(lifetime, options));
