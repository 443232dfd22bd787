import { findFreePort } from '../../../src/dev/services/local-server.ts';
import { openSeats } from '../../support/seats.ts';
import { plainRegistrations } from '../baselines/plain-registrations.ts';
import { startServer } from '../child.ts';
import { type Load, runLoad } from '../load.ts';
import { startProduct } from '../product.ts';
import { type Run, rateRatio, usedBetween, type Workload } from '../workload.ts';

const SEATS = 100;
const IN_FLIGHT = Number(process.env.IN_FLIGHT ?? 400);
const PLAIN = Number(process.env.PLAIN ?? 100);
const PLAIN_IN_FLIGHT = 50;
const E = '/api/v1/operations/events';
const EMPTY = 'a POST of the same schema and token that does nothing';
const PLAINLY = 'a transaction per registration';

/**
 * COUNT people register over HTTP for one event with 100 seats and a waitlist, through one API process; also through 2 and 4
 * processes, and for 100 events in parallel.
 */
export const registrations: Workload = {
  name: 'registrations',
  about: `${IN_FLIGHT} requests in progress for ${SEATS} seats of one event, one API process`,
  goals: [rateRatio(EMPTY, { minimum: 0.2, goal: 0.4 }), rateRatio(PLAINLY, { minimum: 20, goal: 60 })],
  forms: { full: { count: Number(process.env.COUNT ?? 10_000), rounds: 3 }, short: { count: 1_500, rounds: 3 } },
  async open({ count }) {
    const product = await startProduct([]);
    const seats = await openSeats(product.env.MONGODB_URI ?? '');
    const empty = await startServer('./baselines/empty-post.ts', { env: product.env });
    const people = Array.from({ length: count }, (_, n) => `person-${n}`);
    const scope = { tenant_id: 't1', school_id: 's1', roles: ['student' as const], permissions: ['events.view'] };
    const tokens = await Promise.all(people.map((user_id) => product.token({ ...scope, user_id })));
    const bodies = people.map(() => JSON.stringify({ kind: 'attendee', notes: 'Near the door, please.' }));
    const send = async (load: Pick<Load, 'origins' | 'paths'>): Promise<Run> => {
      const { ms, p50, p99, statuses } = await runLoad({ ...load, bodies, tokens, inFlight: IN_FLIGHT });
      return { count, ms, figures: { 'p50 ms': p50, 'p99 ms': p99, 'not 201': count - (statuses[201] ?? 0) } };
    };
    const hot = async () => (await seats.given({ max_attendees: SEATS, waitlist_enabled: true })).id;
    const eventPaths = async (events: number) =>
      (await Promise.all(Array.from({ length: events }, hot))).map((id) => `${E}/${id}/registrations`);
    const origins = [product.apiUrl];
    const through = async (processes: number, events: number): Promise<Run> => {
      while (origins.length < processes) {
        const port = await findFreePort();
        await product.start('api', { PORT: String(port) });
        origins.push(`http://127.0.0.1:${port}`);
      }
      return send({ origins: origins.slice(0, processes), paths: await eventPaths(events) });
    };
    return {
      raw: {
        [EMPTY]: () => send({ origins: [empty.url], paths: ['/empty/x'] }),
        async [PLAINLY]() {
          return { count: PLAIN, ms: await plainRegistrations(seats, await hot(), PLAIN, PLAIN_IN_FLIGHT) };
        },
      },
      async ours() {
        const before = product.usage();
        const run = await through(1, 1);
        return { ...run, usage: usedBetween(before, product.usage()) };
      },
      also: {
        '2 processes': () => through(2, 1),
        '4 processes': () => through(4, 1),
        '100 events, 1 process': () => through(1, 100),
        '100 events, 4 processes': () => through(4, 100),
      },
      async end() {
        empty.stop();
        await seats.database.close();
        await product.end();
      },
    };
  },
};
