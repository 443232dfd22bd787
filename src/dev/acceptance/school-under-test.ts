import { type MailPage, startMailPage } from '../mail-page/mail-page.ts';
import type { LogLine } from '../product-process.ts';
import type { Progress, Step } from '../progress.ts';
import { DEMO_SCOPE } from '../school/demo-person.ts';
import { type Corner, cornerIn } from '../services/given-servers.ts';
import { startServices } from '../services/services.ts';
import { type System, type SystemOptions, startSystemAround } from '../system.ts';
import type { Life } from './school-day.ts';

/** Everything that runs on this machine for the demo and for development. */
export type House = { system: System; mailPage: MailPage };

type HouseOptions = Omit<SystemOptions, 'mongodbUri' | 'redisUrl' | 'onLog' | 'signal'> & {
  /** who reads at an address */
  nameOf?: (address: string) => string | undefined;
};

/** Opens it step by step, and says so; all of it is closed with `life`. */
export async function openHouse(life: Life, progress: Progress, options: HouseOptions): Promise<House> {
  const { signal, own } = life;
  const opening = progress.step('MongoDB and Redis', async (step): Promise<Corner> => {
    const services = await startServices({ log: search(step) });
    own(services.stop);
    const corner = await cornerIn(services);
    own(corner.leave);
    return corner;
  });
  const starting = startSystemAround(opening, { ...options, onLog: complaints(progress), signal });
  // Told where it is awaited: the servers come first.
  starting.catch(() => {});
  await opening;
  const system = await progress.step('The API, a process for every worker, stand-ins', async ({ result }) => {
    const started = await starting;
    own(started.stop);
    result(`${started.processes.length} processes`);
    return started;
  });
  const mailPage = await startMailPage({
    mail: system.smtp,
    sms: system.twilio,
    push: system.push,
    ...(options.nameOf ? { nameOf: options.nameOf } : {}),
  });
  own(mailPage.stop);
  return { system, mailPage };
}

/** Where the servers come from: the versions, and everything else only where something has to be fetched. */
function search({ note, result }: Step): (line: string) => void {
  const lines: string[] = [];
  const found: string[] = [];
  let fetching = false;
  return (line) => {
    lines.push(line);
    fetching ||= line.includes(': trying ');
    if (fetching) for (const one of lines.splice(0)) note(one);
    if (line.includes(': using ')) found.push(line.replace(': using version', ''));
    result(found.join(', '));
  };
}

/** What goes wrong in a process is told at once. */
const complaints =
  (progress: Progress) =>
  ({ level, process, msg, ...rest }: LogLine): void => {
    if (level !== 'error' && level !== 'fatal') return;
    const { time: _, ...details } = rest;
    progress.say(`    ${process}: ${msg} ${JSON.stringify(details)}`);
  };

/** Where to watch all of it in a browser. */
export function tellClient({ system: { apiUrl } }: Pick<House, 'system'>, progress: Progress): void {
  progress.say(`  In a browser       ${apiUrl}/events (sign in as one of the people offered, no password)`);
  progress.say(`  For everyone       ${apiUrl}/public/${DEMO_SCOPE.school_id}`);
}

/** Where everything is, and something to try it with. @param path what is asked of the API */
export function tellAddresses({ system, mailPage }: House, token: string, path: string, progress: Progress): void {
  const { apiUrl, processes } = system;
  progress.heading('Have a look');
  tellClient({ system }, progress);
  progress.say(`  Received messages  ${mailPage.url}`);
  progress.say(`  API documentation  ${apiUrl}/docs`);
  for (const { name, metricsPort } of processes) {
    if (metricsPort !== null) progress.say(`  Metrics of ${name.padEnd(9)}  http://127.0.0.1:${metricsPort}/metrics`);
  }
  progress.say(`\n  API=${apiUrl}`);
  progress.say(`  TOKEN=${token}`);
  progress.say(`  curl -s -H "authorization: Bearer $TOKEN" $API/api/v1${path}`);
  progress.say('\n  Ctrl-C ends it.');
}
