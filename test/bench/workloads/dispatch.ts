import type { Dispatch } from '../baselines/dispatch-part.ts';
import { LEFT_OUT } from '../left-out.ts';
import { startPart } from '../part.ts';
import { startProduct, startSink, withEmail } from '../product.ts';
import { type Goal, type Run, rateOf, rateRatio, type Workload } from '../workload.ts';

const without = (guarantee: string): string => `without ${guarantee}`;
const GUARANTEES = Object.keys(LEFT_OUT);
const BY_SMS = 'by SMS, all guarantees';
const NO_BUDGET = 'by SMS, without the budget';

const MOST = 6_000;

/** The cost of the SMS budget: two rates by SMS. */
const budget: Goal = {
  what: 'rate by SMS ÷ without the budget',
  ...{ minimum: 0.3, goal: 0.9 },
  of: ({ raw }) => rateOf(raw[BY_SMS] as Run) / rateOf(raw[NO_BUDGET] as Run),
};

/**
 * Measures the cost of each guarantee: one process fans out and sends a cancellation with all guarantees, and without one at
 * a time. Two equal runs may differ by 5 %.
 */
export const dispatch: Workload = {
  name: 'dispatch',
  about: 'a cancellation from its fact to the last accepted message and its row, by e-mail and in one process',
  goals: [...GUARANTEES.map((name) => rateRatio(without(name), { minimum: 0.3, goal: 0.9 })), budget],
  forms: { full: { count: Number(process.env.COUNT ?? 2_500), rounds: 4 }, short: { count: 1_000, rounds: 2 } },
  async open({ count }) {
    if (count > MOST) throw new Error(`COUNT may be at most ${MOST}: the capacity of the queue in Redis`);
    const twilio = await startSink('./http-sink.ts');
    const product = await startProduct([], { TWILIO_API_URL: twilio.url, SMS_BUDGET: '1000000' });
    const part = startPart<Dispatch>('./baselines/dispatch-part.ts', product.env);
    const phoneOf = (n: number) => `+4207${String(n).padStart(8, '0')}`;
    await product.addContacts(count, (n) => ({ ...withEmail(n), phone: phoneOf(n) }));
    const { id: event_id } = await product.publishNew({ send_notifications: false });
    await product.register(event_id, count);
    await product.cancel(event_id, { notify: false });
    const run = async (by: Dispatch['by'], left_out: string | null): Promise<Run> => {
      // The process is not a worker of the product, so its usage is not reported.
      const { usage: _, ...done } = await part.run({ event_id, count, by, without: left_out });
      if (done.count !== count) throw new Error(`${done.count} of ${count} were sent ${by} without ${left_out}`);
      return done;
    };
    return {
      ours: () => run('email', null),
      raw: {
        ...Object.fromEntries(GUARANTEES.map((name) => [without(name), () => run('email', name)])),
        [BY_SMS]: () => run('sms', null),
        [NO_BUDGET]: () => run('sms, no budget', null),
      },
      async end() {
        part.stop();
        await product.end();
        twilio.stop();
      },
    };
  },
};
