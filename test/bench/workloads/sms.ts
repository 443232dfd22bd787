import type { JobPerMessage } from '../baselines/job-per-message.ts';
import { startPart } from '../part.ts';
import { startProduct, startSink, untilTrue } from '../product.ts';
import { rateRatio, usedBetween, type Workload } from '../workload.ts';

const NAIVE = 'one job per recipient, twilio';
/** The baseline is slow: a fifth of the messages is enough to measure its rate. */
const NAIVE_PART = 5;

/** Message of staff → last SMS accepted by the sink, for an event with COUNT registrations; one worker of each kind. */
export const sms: Workload = {
  name: 'sms',
  about: 'from a message of staff to the last SMS, one SMS worker',
  goals: [rateRatio(NAIVE, { minimum: 5, goal: 10 })],
  forms: { full: { count: Number(process.env.COUNT ?? 10_000), rounds: 3 }, short: { count: 2_000, rounds: 3 } },
  async open({ count }) {
    const twilio = await startSink('./http-sink.ts');
    const product = await startProduct(['relay', 'fan-out', 'sms'], { TWILIO_API_URL: twilio.url });
    const naive = startPart<JobPerMessage>('./baselines/job-per-message.ts', product.env);
    await product.addContacts(count, (n) => ({ phone: `+4207${String(n).padStart(8, '0')}` }));
    const deliveries = product.database.collection('deliveries');
    return {
      raw: { [NAIVE]: () => naive.run({ count: Math.ceil(count / NAIVE_PART), twilioUrl: twilio.url }) },
      async ours() {
        await product.chooseChannels('event.published', ['in_app']);
        const { id } = await product.publishNew({ registration_type: 'optional' });
        await product.register(id, count);
        // The announcement has rows of its own, which do not count.
        const announced = { event_id: id, channel: 'in_app' } as never;
        await untilTrue(async () => (await deliveries.countDocuments(announced)) >= count, performance.now());
        await deliveries.deleteMany({});
        const before = product.usage();
        const already = twilio.count();
        const askedAt = await product.message(id, ['sms']);
        const ms = await untilTrue(async () => twilio.count() - already >= count, askedAt);
        const usage = usedBetween(before, product.usage());
        return { count, ms, usage };
      },
      async end() {
        naive.stop();
        await product.end();
        twilio.stop();
      },
    };
  },
};
