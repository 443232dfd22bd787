import { setTimeout as delay } from 'node:timers/promises';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { anEvent } from '../../support/builders.ts';
import type { ThreeWrites } from '../baselines/three-writes.ts';
import { type Load, runLoad } from '../load.ts';
import { startPart } from '../part.ts';
import { type Product, SCHOOL, startProduct } from '../product.ts';
import { type Run, rateRatio, usedBetween, type Workload } from '../workload.ts';

const IN_FLIGHT = Number(process.env.IN_FLIGHT ?? 50);
const FULL = Number(process.env.COUNT ?? 2_000);
const E = '/api/v1/operations/events';
const TRANSACTIONS = 'transactions of three writes';
const IDLE_MS = 200;

type Posts = Pick<Load, 'paths' | 'bodies'> & { status: number };

function writes(
  name: string,
  about: string,
  posts: (api: Product, count: number, round: number) => Promise<Posts>,
): Workload {
  return {
    name,
    about,
    goals: [rateRatio(TRANSACTIONS, { minimum: 0.35, goal: 0.8 })],
    forms: { full: { count: FULL, rounds: 5 }, short: { count: Math.ceil(FULL / 8), rounds: 3 } },
    async open({ count }) {
      const api = await startProduct([]);
      const permissions = ['events.view', 'events.create', 'events.update'];
      const token = await api.token({ ...SCHOOL, user_id: 'staff', roles: ['staff'], permissions });
      const part = startPart<ThreeWrites>('./baselines/three-writes.ts', { ...api.env });
      let round = 0;
      return {
        raw: { [TRANSACTIONS]: () => part.run({ count, inFlight: IN_FLIGHT }) },
        async ours(): Promise<Run> {
          const { status, ...load } = await posts(api, count, round++);
          await delay(IDLE_MS);
          const before = api.usage();
          const sent = { method: 'POST', origins: [api.apiUrl], tokens: [token], count, inFlight: IN_FLIGHT, ...load };
          const { ms, p50, p99, statuses } = await runLoad(sent);
          if (statuses[status] !== count) throw new Error(`not all were answered: ${JSON.stringify(statuses)}`);
          return { count, ms, figures: { 'p50 ms': p50, 'p99 ms': p99 }, usage: usedBetween(before, api.usage()) };
        },
        async end() {
          part.stop();
          await api.end();
        },
      };
    },
  };
}

/** POST of drafts, as a person writes them. */
export const create = writes('create', `drafts created over HTTP, ${IN_FLIGHT} in progress`, async () => ({
  paths: [E],
  status: 201,
  bodies: [
    JSON.stringify({
      title: 'Autumn concert',
      description: 'Everybody is welcome. '.repeat(20),
      event_type: 'cultural',
      start_date: '2027-10-16',
      end_date: '2027-10-16',
      tags: ['music', 'autumn'],
      reminders: [{ type: 'email', offset: 1440 }],
    }),
  ],
}));

/** Publishes as many different events, each with a reminder to plan. */
export const publishEvents = writes(
  'publish-events',
  `different events published over HTTP, ${IN_FLIGHT} in progress`,
  async ({ database }, count, round) => {
    const start_date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const starts_at = new Date(`${start_date}T18:00:00Z`);
    const dates = { start_date, end_date: start_date, starts_at, ends_at: new Date(+starts_at + 7_200_000) };
    const drafts = Array.from({ length: count }, (_, n) =>
      anEvent({
        ...SCHOOL,
        ...dates,
        id: `draft-${round}-${n}`,
        status: 'draft',
        description: 'Everybody is welcome. '.repeat(20),
        reminders: [{ type: 'email', offset: 1440 }],
      }),
    );
    await database.collection('events').insertMany(drafts.map(eventRowOf) as never);
    return { paths: drafts.map(({ id }) => `${E}/${id}/publish`), bodies: [''], status: 200 };
  },
);
