import { setTimeout as delay } from 'node:timers/promises';
import { isOpen } from '../notifications/delivery.ts';
import type { Cast } from './acceptance/acts.ts';
import type { Entry } from './acceptance/journal.ts';
import { type Mailboxes, mailboxes, type State } from './acceptance/mailboxes.ts';
import { compareRecords, type DeliveryRow } from './acceptance/records.ts';
import { arrivalsTable, countsInWords, findingLine, reasonsTable, summaryOf } from './acceptance/report.ts';
import { runDay } from './acceptance/scenario.ts';
import { type Life, live } from './acceptance/school-day.ts';
import { type House, openHouse, tellAddresses, tellClient } from './acceptance/school-under-test.ts';
import { type Asker, allRows, apiClient } from './api-client.ts';
import { progressOn } from './progress.ts';
import { type RunOptions, readRunOptions } from './run-options.ts';
import { offeredPeople } from './school/demo-people.ts';
import { callerOf, DEMO_SCOPE, type DemoPerson, idOf } from './school/demo-person.ts';
import { demoSchool } from './school/demo-school.ts';
import { loadSchool, type Voices } from './school/load-school.ts';
import { loadTerm } from './school/load-term.ts';
import { permissionsOf } from './token-claims.ts';

const USAGE = `npm run demo -- [--once] [--port N] [--metrics]

  --once     end after the report, with exit code 1 if anything is missing, doubled or stale
  --port N   the port of the API; a free one by default
  --metrics  serve /metrics of every process, each on a port of its own
`;

const PATIENCE_MS = 20_000;
const progress = progressOn(process.stdout, process.env);

/** The whole service on this machine, and a day at a school that it has to get right. */
async function demo(life: Life, options: RunOptions): Promise<number> {
  const directory = demoSchool();
  progress.heading('Schoolbell: everything it consists of, on this machine');
  const nameOf = namesAt(directory);
  const people = offeredPeople(directory);
  const house = await openHouse(life, progress, { ...options, nameOf, people });
  progress.say(`  Ready after ${seconds()} s.`);
  tellClient(house, progress);

  const { system } = house;
  const voices = await voicesOf(directory, system.token);
  const ask = apiClient(system.apiUrl, life.signal);
  const { signal } = life;

  progress.heading('A school');
  await loadSchool({ ask, voices, directory, system, progress });
  const others = await loadTerm({ ask, voices, directory, system, progress, signal });
  const journal: Entry[] = [];
  const boxes = mailboxes({ ask, system, directory, tokens: voices.of, journal, others, signal });
  progress.heading('A day');
  const { cast, dueAt } = await runDay({ ask, voices, journal, boxes, progress });
  await awaitReminders(boxes, dueAt, signal);
  const { state, rows } = await progress.step('Nothing more is on its way', () =>
    untilQuiet(ask, voices, boxes, cast, signal),
  );

  const findings = [
    ...state.findings,
    ...cast.flatMap(({ id }) => compareRecords(id, rows.get(id) ?? [], state.expected, state.excluded)),
  ];
  report({ ...state, findings }, directory, cast);
  if (options.once) return findings.length === 0 ? 0 : 1;
  tellAddresses(house, voices.staff, `/operations/events/${cast[1]?.id}`, progress);
  await life.untilAsked();
  return 0;
}

async function voicesOf(directory: readonly DemoPerson[], token: House['system']['token']): Promise<Voices> {
  const head = { ...DEMO_SCOPE, user_id: idOf('Alena Horáková'), roles: ['admin', 'staff'] as const };
  const of = await Promise.all(
    directory.map(async (person) => [person.user_id, await token(callerOf(person, directory))] as const),
  );
  return { staff: await token({ ...head, permissions: permissionsOf('admin') }), of: new Map(of) };
}

async function awaitReminders(boxes: Mailboxes, dueAt: number, signal: AbortSignal): Promise<void> {
  await progress.step('Reminders of the class meeting fall due', async ({ note, result }) => {
    for (let left = dueAt - Date.now(); left > 0; left = dueAt - Date.now()) {
      note(`in ${Math.ceil(left / 1000)} s, at ${new Date(dueAt).toISOString().slice(11, 19)} UTC`);
      await delay(Math.min(left, process.stdout.isTTY ? 1_000 : 15_000), undefined, { signal });
    }
    result(countsInWords(await boxes.settled(PATIENCE_MS)));
  });
}

/** Until no message can still leave, and then what there is. */
async function untilQuiet(
  ask: Asker,
  voices: Voices,
  boxes: Mailboxes,
  cast: Cast,
  signal: AbortSignal,
): Promise<{ state: State; rows: Map<string, DeliveryRow[]> }> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const rows = new Map<string, DeliveryRow[]>();
    for (const { id } of cast) {
      rows.set(id, await allRows<DeliveryRow>(ask, voices.staff, `/operations/events/${id}/deliveries`));
    }
    const open = [...rows.values()].flat().some(isOpen);
    if (!open || Date.now() > until) {
      // What a stand-in has taken it has counted; this is for what nobody expects.
      await delay(500, undefined, { signal });
      return { state: await boxes.now(), rows };
    }
    await delay(100, undefined, { signal });
  }
}

function report(state: State, directory: readonly DemoPerson[], cast: Cast): void {
  const { paint } = progress;
  progress.heading('Who received what');
  for (const line of arrivalsTable(state, directory, cast, paint)) progress.say(line);
  progress.heading('Who was not told, and why');
  for (const line of reasonsTable(state, directory, cast, paint)) progress.say(line);
  progress.heading('As it should be?');
  for (const finding of state.findings) progress.say(findingLine(finding, cast, paint));
  const good = state.findings.length === 0;
  progress.say(`  ${good ? paint.green('✓') : paint.red('✗')} ${summaryOf(state, Number(seconds()))}`);
}

/** Who reads at an address: for the mail page. */
function namesAt(directory: readonly DemoPerson[]): (address: string) => string | undefined {
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
if (options) await live((life) => demo(life, options));
