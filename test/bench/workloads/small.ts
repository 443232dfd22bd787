import { createSemaphore } from '../../../src/core/priority.ts';
import type { Scope } from '../../../src/people/caller.ts';
import { SCHOOL, startProduct, untilTrue, withEmail } from '../product.ts';
import { cpuPerMessageOf, figure, type Run, usedBetween, type Workload } from '../workload.ts';

const FEW = 30;
const MANY = 10_000;
const IN_FLIGHT = 20;
const COST = 'CPU per person ÷ the same for one announcement';
const ONE = `one announcement for ${MANY} people`;
const LEFT_OUT = new Set(['smtp sink']);

/** The cost of small announcements, of all processes and the databases, next to one large announcement. */
export const small: Workload = {
  name: 'small',
  about: `announcements for ${FEW} people each, by e-mail and in-app, next to one for ${MANY}`,
  goals: [figure(COST, { minimum: 2, goal: 1.3, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 1_000), rounds: 3 }, short: null },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email']);
    const many: Scope = { ...SCHOOL, school_id: 'many' };
    await product.addContacts(FEW, withEmail);
    await product.addContacts(MANY, (n) => ({ ...withEmail(n), ...many }));
    const inTurn = createSemaphore(IN_FLIGHT);
    let costOfOne = Number.NaN;

    const announce = async (times: number, people: number, scope: Scope): Promise<Run & { cost: number }> => {
      const ids = await Promise.all(Array.from({ length: times }, () => inTurn(() => product.draft({}, scope))));
      const already = product.sinkCount();
      const before = product.usage();
      const from = performance.now();
      await Promise.all(ids.map((id) => inTurn(() => product.publish(id, scope))));
      const ms = await untilTrue(async () => product.sinkCount() - already >= times * people, from);
      const run = { count: times * people, ms, usage: usedBetween(before, product.usage()) };
      return { ...run, cost: cpuPerMessageOf(run, LEFT_OUT) };
    };
    return {
      raw: {
        async [ONE]() {
          const { cost, ...run } = await announce(1, MANY, many);
          costOfOne = cost;
          return run;
        },
      },
      async ours() {
        const { cost, ...run } = await announce(count, FEW, SCHOOL);
        return { ...run, figures: { [COST]: cost / costOfOne } };
      },
      end: product.end,
    };
  },
};
