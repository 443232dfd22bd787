import { insertManyEvents } from '../../support/many-events.ts';
import type { NativeReads } from '../baselines/native-reads.ts';
import { runLoad } from '../load.ts';
import { startPart } from '../part.ts';
import { startProduct } from '../product.ts';
import { figure, type Run, rateRatio, usedBetween, type Workload } from '../workload.ts';

const IN_FLIGHT = Number(process.env.IN_FLIGHT ?? 50);
const EVENTS = Number(process.env.EVENTS ?? 200_000);
const EVENTS_SHORT = 10_000;
const AMONG = `${EVENTS} (${EVENTS_SHORT} in the short form)`;
const E = '/api/v1/operations/events';
const IDS = 1_000;
const CPU = 'CPU of the API per request, ms';
/** Half way through the events, and so long that a member of staff sees about 2,700 of 200,000 in it. */
const MONTH = { first: '2026-03-01', days: 32 };

const CALENDAR = `${E}/calendar?view=agenda&date=${MONTH.first}&days=${MONTH.days}`;

type What = NativeReads['what'];
type Reads = { name: string; about: string; what: What; baseline: string; requests: number; cpu?: [number, number] };

function reads({ name, about, what, baseline, requests, cpu }: Reads): Workload {
  const full = Number(process.env.COUNT ?? requests);
  return {
    name,
    about: `${about} among ${AMONG}, ${IN_FLIGHT} in progress, one API process`,
    goals: [
      rateRatio(baseline, { minimum: 0.5, goal: 0.75 }),
      ...(cpu ? [figure(CPU, { minimum: cpu[0], goal: cpu[1], lowerIsBetter: true })] : []),
    ],
    forms: { full: { count: full, rounds: 5 }, short: { count: Math.ceil(full / 10), rounds: 3 } },
    async open({ count }) {
      const api = await startProduct([]);
      const events = count < full ? EVENTS_SHORT : EVENTS;
      await insertManyEvents(api.database, events);
      const found = api.database.collection('events').find({ status: 'published', visibility: 'public' } as never);
      const ids = (await found.project({ _id: 1 }).limit(IDS).toArray()).map(({ _id }) => String(_id));
      const scope = { tenant_id: 'big', school_id: 'big', roles: ['staff' as const], permissions: ['events.view'] };
      const token = await api.token({ ...scope, user_id: 'reader', department_ids: ['department-1'] });
      const part = startPart<NativeReads>('./baselines/native-reads.ts', { ...api.env });
      const paths = { one: ids.map((id) => `${E}/${id}`), list: [`${E}?limit=50`], month: [CALENDAR] }[what];
      return {
        raw: { [baseline]: () => part.run({ what, count, inFlight: IN_FLIGHT, ids, month: MONTH, token }) },
        async ours(): Promise<Run> {
          const before = api.usage();
          const load = { method: 'GET', origins: [api.apiUrl], paths, tokens: [token], count, inFlight: IN_FLIGHT };
          const { ms, p50, p99, statuses } = await runLoad(load);
          if (statuses[200] !== count) throw new Error(`not all were answered: ${JSON.stringify(statuses)}`);
          const usage = usedBetween(before, api.usage());
          const cpu = ((usage.api?.cpuSeconds ?? Number.NaN) * 1_000) / count;
          return { count, ms, figures: { 'p50 ms': p50, 'p99 ms': p99, [CPU]: cpu }, usage };
        },
        async end() {
          part.stop();
          await api.end();
        },
      };
    },
  };
}

/** GET of one event, a different one each time. */
export const httpReads = reads({
  name: 'http-reads',
  about: 'GET of one event',
  what: 'one',
  baseline: 'native findOne and token check',
  requests: 20_000,
});

/** The first page of everything a member of staff may see. */
export const httpList = reads({
  name: 'http-list',
  about: 'list of 50',
  what: 'list',
  baseline: 'native find of 50 and token check',
  requests: 2_500,
  cpu: [3, 2],
});

/** A month with more events than any school has. */
export const httpCalendar = reads({
  name: 'http-calendar',
  about: 'calendar of a month',
  what: 'month',
  baseline: 'native find of a month and token check',
  requests: 100,
  cpu: [150, 60],
});
