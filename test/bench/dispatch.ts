import { LEFT_OUT } from './left-out.ts';
import { startPart } from './part.ts';
import { startProduct } from './product.ts';
import { type Run, rateRatio, type Workload } from './workload.ts';

const without = (guarantee: string): string => `without ${guarantee}`;
const GUARANTEES = Object.keys(LEFT_OUT);

/**
 * What each guarantee costs: the fan-out and the sending of a cancellation by e-mail in one process, whole, and with one
 * thing left out at a time. Ours ÷ without it is what is left of the speed; above 0.95 it is within what two runs differ.
 */
export const dispatch: Workload = {
  name: 'dispatch',
  about: 'a cancellation from its fact to the last accepted e-mail and its row, in one process',
  goals: GUARANTEES.map((name) => rateRatio(without(name), { floor: 0.3, goal: 0.9 })),
  forms: { full: { count: Number(process.env.COUNT ?? 5_000), rounds: 5 }, short: { count: 1_000, rounds: 2 } },
  async open({ count }) {
    const product = await startProduct([]);
    const part = startPart<{ event_id: string; without: string | null }>('./dispatch-part.ts', product.env);
    await product.addContacts(count, (n) => ({ email: `person-${n}@people.example` }));
    const { id: event_id } = await product.publishNew({ send_notifications: false });
    await product.register(event_id, count);
    await product.cancel(event_id, { notify: false });
    const run = async (left_out: string | null): Promise<Run> => {
      // Of the process nothing is told: it is no worker of ours.
      const { usage: _, ...done } = await part.run({ event_id, without: left_out });
      if (done.count !== count) throw new Error(`${done.count} of ${count} were sent without ${left_out}`);
      return done;
    };
    return {
      ours: () => run(null),
      raw: Object.fromEntries(GUARANTEES.map((name) => [without(name), () => run(name)])),
      async end() {
        part.stop();
        await product.end();
      },
    };
  },
};
