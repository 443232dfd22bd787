import type { Lifetime } from './lifetime.ts';
import type { LogLine } from './product-process.ts';
import type { Progress } from './progress.ts';
import { startReceivedPage } from './received-page.ts';
import { DEMO_SCOPE } from './school/demo-person.ts';
import { isolateServers } from './services/given-servers.ts';
import { startServices } from './services/services.ts';
import { type System, type SystemOptions, startSystem } from './system.ts';

/** All that the demo and `npm run dev` run: the system and a page that shows received messages. */
type LocalSchool = { system: System; receivedUrl: string };

type LocalSchoolOptions = Omit<SystemOptions, 'mongodbUri' | 'redisUrl' | 'onLog' | 'signal'> & {
  nameOf?: (address: string) => string | undefined;
};

/** Starts the servers, the system and the page of received messages, printing each step; `lifetime` stops them. */
export async function startLocalSchool(
  lifetime: Lifetime,
  progress: Progress,
  options: LocalSchoolOptions,
): Promise<LocalSchool> {
  const { signal, onEnd } = lifetime;
  const { mongodbUri, redisUrl } = await progress.step('MongoDB and Redis', async ({ note }) => {
    const services = await startServices({ log: note });
    onEnd(services.stop);
    const isolated = isolateServers(services);
    onEnd(isolated.drop);
    return isolated;
  });
  const system = await progress.step('The API, every worker, stand-ins', async ({ result }) => {
    const started = await startSystem({ ...options, mongodbUri, redisUrl, onLog: printErrors(progress), signal });
    onEnd(started.stop);
    for (const { name, exited } of started.processes) {
      // An ordered end has the code 0; one during the start counts as ordered too.
      void exited.then(({ code, signal: killer }) => {
        if (code === 0 || signal.aborted) return;
        progress.print(`    ${name} has ended (${killer ?? code}); start the command again to have it back`);
      });
    }
    result(`${started.processes.length} processes`);
    return started;
  });
  const received = await startReceivedPage({ ...system, nameOf: options.nameOf });
  onEnd(received.stop);
  return { system, receivedUrl: received.url };
}

const printErrors =
  (progress: Progress) =>
  ({ level, process, msg, ...rest }: LogLine): void => {
    if (level !== 'error' && level !== 'fatal') return;
    const { time: _, ...details } = rest;
    progress.print(`    ${process}: ${msg} ${JSON.stringify(details)}`);
  };

/** Prints the addresses of the client. */
export function printClientAddresses({ apiUrl }: System, progress: Progress): void {
  progress.print(`  In a browser       ${apiUrl}/events (sign in as one of the people offered, no password)`);
  progress.print(`  For everyone       ${apiUrl}/public/${DEMO_SCOPE.school_id}`);
}

/** Prints every address, and a first request. @param path of the API, for that request */
export function printAddresses(
  { system, receivedUrl }: LocalSchool,
  token: string,
  path: string,
  progress: Progress,
): void {
  const { apiUrl, processes } = system;
  progress.heading('Have a look');
  printClientAddresses(system, progress);
  progress.print(`  Received messages  ${receivedUrl}`);
  progress.print(`  API documentation  ${apiUrl}/docs`);
  for (const { name, metricsPort } of processes) {
    if (metricsPort !== null) progress.print(`  Metrics of ${name.padEnd(9)}  http://127.0.0.1:${metricsPort}/metrics`);
  }
  progress.print(`\n  API=${apiUrl}`);
  progress.print(`  TOKEN=${token}`);
  progress.print(`  curl -s -H "authorization: Bearer $TOKEN" $API/api/v1${path}`);
  progress.print('\n  Press Ctrl-C to stop.');
}
