import { createSemaphore } from '../../../src/core/priority.ts';
import type { Scope } from '../../../src/people/caller.ts';
import { SCHOOL, startProduct, untilTrue, withEmail } from '../product.ts';
import { cpuPerMessageOf, figure, type Run, usedBetween, type Workload } from '../workload.ts';

const PEOPLE = 10;
const IN_FLIGHT = 20;
const COST = 'CPU per message ÷ the same in one tenant';
/** Processes with the same cost in both. */
const LEFT_OUT = new Set(['api', 'smtp sink']);

/** The cost of a message, including MongoDB, when announcements of the same moment belong to different tenants. */
export const tenants: Workload = {
  name: 'tenants',
  about: `announcements of as many tenants, e-mail and in-app to ${PEOPLE} people each, next to those of as many schools of one`,
  goals: [figure(COST, { minimum: 1.3, goal: 1, lowerIsBetter: true })],
  forms: { full: { count: Number(process.env.COUNT ?? 1_000), rounds: 3 }, short: { count: 100, rounds: 1 } },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email']);
    const scopes = (of: (n: number) => Scope) => Array.from({ length: count }, (_, n) => of(n));
    const many = scopes((n) => ({ tenant_id: `tenant-${n}`, school_id: 'school' }));
    const one = scopes((n) => ({ ...SCHOOL, school_id: `school-${n}` }));
    const all = [...many, ...one];
    await product.addContacts(all.length * PEOPLE, (n) => ({ ...withEmail(n), ...all[Math.floor(n / PEOPLE)] }));
    const inTurn = createSemaphore(IN_FLIGHT);

    const announced = async (by: readonly Scope[]): Promise<Run & { cost: number }> => {
      const drafts = await Promise.all(
        by.map(async (scope) => ({ scope, id: await inTurn(() => product.draft({}, scope)) })),
      );
      const messages = by.length * PEOPLE;
      const already = product.sinkCount();
      const before = product.usage();
      const from = performance.now();
      await Promise.all(drafts.map(({ id, scope }) => inTurn(() => product.publish(id, scope))));
      const ms = await untilTrue(async () => product.sinkCount() - already >= messages, from);
      const run = { count: messages, ms, usage: usedBetween(before, product.usage()) };
      return { ...run, cost: cpuPerMessageOf(run, LEFT_OUT) };
    };
    const costs: number[] = [];
    return {
      raw: {
        'as many schools of one tenant': async () => {
          const { cost, ...run } = await announced(one);
          costs.push(cost);
          return run;
        },
      },
      async ours() {
        const { cost, ...run } = await announced(many);
        return { ...run, figures: { [COST]: cost / (costs.pop() ?? Number.NaN) } };
      },
      end: product.end,
    };
  },
};
