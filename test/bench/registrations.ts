import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../src/local/free-port.ts';
import { startServices } from '../../src/local/services.ts';
import { startSystem } from '../../src/local/system.ts';
import { openSeats } from '../support/seats.ts';
import { type Load, type LoadResult, runLoad } from './load.ts';
import { plainRegistrations } from './plain-registrations.ts';

const COUNT = Number(process.env.COUNT ?? 10_000);
const SEATS = 100;
const IN_FLIGHT = Number(process.env.IN_FLIGHT ?? 400);
const PLAIN = Number(process.env.PLAIN ?? 100);
const E = '/api/v1/operations/events';

/**
 * COUNT people register over HTTP for one hot event with 100 seats and a waitlist, through 1, 2 and 4 API processes, and
 * for 100 events at once; beside plain transactions and a POST of the same schema and token that does nothing.
 */
export async function registrations(): Promise<void> {
  const services = await startServices({ log: () => {}, env: {} });
  const mongodbUri = services.mongodbUri.replace(/\/([^/?]*)(\?|$)/, '/bench$2');
  const system = await startSystem({ mongodbUri, redisUrl: services.redisUrl, start: ['api'] });
  const seats = await openSeats(mongodbUri);
  const empty = fork(fileURLToPath(new URL('./empty-post.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...system.env },
  });
  try {
    const emptyPort = await new Promise<number>((resolve) => empty.once('message', (port) => resolve(Number(port))));
    const people = Array.from({ length: COUNT }, (_, n) => `person-${n}`);
    const tokens = await Promise.all(
      people.map((user_id) =>
        system.token({
          tenant_id: 't1',
          school_id: 's1',
          user_id,
          roles: ['student'],
          permissions: ['events.view'],
        }),
      ),
    );
    const bodies = people.map(() => JSON.stringify({ kind: 'attendee', notes: 'Near the door, please.' }));
    const hot = async () => (await seats.given({ max_attendees: SEATS, waitlist_enabled: true })).id;
    const of = async (count: number) => Promise.all(Array.from({ length: count }, hot));
    const rows: Record<string, Record<string, number | string>> = {};
    const measure = async (what: string, load: Pick<Load, 'origins' | 'paths'>) => {
      const result = await runLoad({ ...load, bodies, tokens, inFlight: IN_FLIGHT });
      rows[what] = rowOf(result);
      return (COUNT / result.ms) * 1000;
    };
    const pathsOf = (ids: string[]) => ids.map((id) => `${E}/${id}/registrations`);

    // Twice each: the first warms up, tokens included, as they are in the minute after a popular event opened.
    const emptyLoad = { origins: [`http://127.0.0.1:${emptyPort}`], paths: ['/empty/x'] };
    const oneProcess = async () => ({ origins: [system.apiUrl], paths: pathsOf([await hot()]) });
    await measure('empty POST', emptyLoad);
    await measure('1 process', await oneProcess());
    const yardstick = await measure('empty POST', emptyLoad);
    const event = await oneProcess();
    const one = await measure('1 process', event);
    const origins = [system.apiUrl];
    for (const count of [2, 4]) {
      while (origins.length < count) {
        const port = await findFreePort();
        await system.start('api', { PORT: String(port) });
        origins.push(`http://127.0.0.1:${port}`);
      }
      await measure(`${count} processes`, { origins, paths: pathsOf(await of(1)) });
    }
    await measure('100 events, 1 process', { origins: [system.apiUrl], paths: pathsOf(await of(100)) });
    await measure('100 events, 4 processes', { origins, paths: pathsOf(await of(100)) });
    const plain = await plainRegistrations(seats, await hot(), PLAIN, 50);
    rows['plain transactions'] = { '/s': Math.round(plain) };
    console.log(`registrations: ${COUNT} people, ${IN_FLIGHT} at once, ${SEATS} seats each`);
    console.table(rows);
    console.log(`1 process is ${(one / yardstick).toFixed(2)} of the empty POST, ${Math.round(one / plain)} × plain`);
    console.log(JSON.stringify({ bench: 'registrations', count: COUNT, rows }));
  } finally {
    empty.kill();
    await seats.database.close();
    await system.stop();
    await services.stop();
  }
}

const rowOf = ({ ms, p50, p99, statuses }: LoadResult) => ({
  '/s': Math.round((COUNT / ms) * 1000),
  'p50 ms': Math.round(p50),
  'p99 ms': Math.round(p99),
  statuses: Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
});
