import { setTimeout as delay } from 'node:timers/promises';
import { isOpen } from '../notifications/delivery.ts';
import { runDay, type ScriptedEvents } from './acceptance/day.ts';
import type { Expectations } from './acceptance/expectations.ts';
import { compareRecords, type DeliveryRow } from './acceptance/findings.ts';
import { type Mailboxes, mailboxes, type State } from './acceptance/mailboxes.ts';
import { countsInWords, findingLine, receivedLines, summaryOf } from './acceptance/report.ts';
import { type ApiClient, apiClient, readAllRows } from './api-client.ts';
import { type Lifetime, type RunOptions, readRunOptions, runUntilStopped } from './lifetime.ts';
import { progressOn } from './progress.ts';
import { callerOf, DEMO_SCOPE, type DemoPerson, idOf } from './school/demo-person.ts';
import { demoSchool } from './school/demo-school.ts';
import { loadSchool, type Tokens } from './school/load-school.ts';
import { loadTerm } from './school/load-term.ts';
import {
  printAddresses,
  printClientAddresses,
  type SchoolUnderTest,
  startSchoolUnderTest,
} from './school-under-test.ts';
import { permissionsOf } from './token-claims.ts';

const USAGE = `npm run demo -- [--once] [--port N] [--metrics]

  --once     exit after the report, with code 1 if a message is missing, doubled, unexpected or wrong
  --port N   the port of the API; a free one by default
  --metrics  serve /metrics of every process, each on a port of its own
`;

const TIMEOUT_MS = 20_000;
const progress = progressOn(process.stdout, process.env);

/** Starts the whole service on this machine and plays a school day whose messages are checked. */
async function demo(lifetime: Lifetime, options: RunOptions): Promise<number> {
  const directory = demoSchool();
  progress.heading('Schoolbell: the whole service on this machine');
  const nameOf = namesByAddress(directory);
  const school = await startSchoolUnderTest(lifetime, progress, { ...options, nameOf });
  progress.print(`  Ready after ${seconds()} s.`);
  printClientAddresses(school, progress);

  const { system } = school;
  const tokens = await signTokens(directory, system.token);
  const ask = apiClient(system.apiUrl, lifetime.signal);
  const { signal } = lifetime;

  progress.heading('A school');
  await loadSchool({ ask, tokens, directory, system, progress });
  const others = await loadTerm({ ask, tokens, directory, system, progress, signal });
  const expectations: Expectations = { expected: [], excluded: [] };
  const events: ScriptedEvents = [];
  const boxes = mailboxes({ ask, system, tokens: tokens.byUser, expectations, events, others, signal });
  progress.heading('A day');
  const reminders = await runDay({ ask, tokens, directory, expectations, events, boxes, progress });
  await awaitReminders(boxes, reminders, signal);
  const { state, rows } = await progress.step('No message is on its way', () =>
    untilAtRest(ask, tokens, boxes, events, signal),
  );

  const findings = [
    ...state.findings,
    ...events.flatMap(({ id }) => compareRecords(id, rows.get(id) ?? [], state.expected, state.excluded)),
  ];
  report({ ...state, findings }, directory, events);
  if (options.once) return findings.length === 0 ? 0 : 1;
  printAddresses(school, tokens.staff, `/operations/events/${events[1]?.id}`, progress);
  await lifetime.untilStopped();
  return 0;
}

async function signTokens(
  directory: readonly DemoPerson[],
  token: SchoolUnderTest['system']['token'],
): Promise<Tokens> {
  const head = { ...DEMO_SCOPE, user_id: idOf('Alena Horáková'), roles: ['admin', 'staff'] as const };
  const byUser = await Promise.all(
    directory.map(async (person) => [person.user_id, await token(callerOf(person, directory))] as const),
  );
  return { staff: await token({ ...head, permissions: permissionsOf('admin') }), byUser: new Map(byUser) };
}

async function awaitReminders(
  boxes: Mailboxes,
  { dueAt, expectReminders }: Awaited<ReturnType<typeof runDay>>,
  signal: AbortSignal,
): Promise<void> {
  await progress.step('Reminders of the class meeting are due', async ({ note, result }) => {
    for (let left = dueAt - Date.now(); left > 0; left = dueAt - Date.now()) {
      note(`in ${Math.ceil(left / 1000)} s, at ${new Date(dueAt).toISOString().slice(11, 19)} UTC`);
      await delay(Math.min(left, process.stdout.isTTY ? 1_000 : 15_000), undefined, { signal });
    }
    await expectReminders();
    result(countsInWords(await boxes.untilComplete(TIMEOUT_MS)));
  });
}

/** Waits until no message can still leave, then compares. */
async function untilAtRest(
  ask: ApiClient,
  tokens: Tokens,
  boxes: Mailboxes,
  events: ScriptedEvents,
  signal: AbortSignal,
): Promise<{ state: State; rows: Map<string, DeliveryRow[]> }> {
  const until = Date.now() + TIMEOUT_MS;
  for (;;) {
    const rows = new Map<string, DeliveryRow[]>();
    for (const { id } of events) {
      rows.set(id, await readAllRows<DeliveryRow>(ask, tokens.staff, `/operations/events/${id}/deliveries`));
    }
    const open = [...rows.values()].flat().some(isOpen);
    if (!open || Date.now() > until) {
      // Gives unexpected messages time to arrive.
      await delay(500, undefined, { signal });
      return { state: await boxes.compareNow(), rows };
    }
    await delay(100, undefined, { signal });
  }
}

function report(state: State, directory: readonly DemoPerson[], events: ScriptedEvents): void {
  const { paint } = progress;
  progress.heading('Received messages');
  for (const line of receivedLines(state, directory, events, paint)) progress.print(line);
  progress.heading('Check');
  for (const finding of state.findings) progress.print(findingLine(finding, events, paint));
  const good = state.findings.length === 0;
  progress.print(`  ${good ? paint.green('✓') : paint.red('✗')} ${summaryOf(state, Number(seconds()))}`);
}

/** Names of the people at an address, for the mail page. */
function namesByAddress(directory: readonly DemoPerson[]): (address: string) => string | undefined {
  const names = new Map<string, string>();
  for (const { user_id, name, email, phone } of directory) {
    for (const key of [user_id, email, phone]) {
      if (key === null) continue;
      const known = names.get(key);
      names.set(key, known ? `${known} & ${name}` : name);
    }
  }
  return (address) => names.get(address);
}

const seconds = (): string => process.uptime().toFixed(1);

const options = readRunOptions(USAGE);
if (options) await runUntilStopped((lifetime) => demo(lifetime, options));
