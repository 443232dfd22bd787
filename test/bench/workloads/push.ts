import { createECDH, randomBytes } from 'node:crypto';
import type { EncryptMany } from '../baselines/encrypt-many.ts';
import { startPart } from '../part.ts';
import { personId, SCHOOL, startProduct, startSink, untilTrue } from '../product.ts';
import { rateRatio, usedBetween, type Workload } from '../workload.ts';

const RAW = 'web-push encrypting only';

/** Publish → last push message taken by a sink; one worker of each kind, one browser for each person. */
export const push: Workload = {
  name: 'push',
  about: 'from publish to the last push message at a school that announces by push, one push worker',
  // Twenty messages in flight at most cost a third of the rate that a hundred had.
  goals: [rateRatio(RAW, { minimum: 0.35, goal: 0.55, recorded: 0.13 })],
  forms: { full: { count: Number(process.env.COUNT ?? 10_000), rounds: 3 }, short: { count: 2_000, rounds: 3 } },
  async open({ count }) {
    const service = await startSink('./http-sink.ts');
    const product = await startProduct(['relay', 'fan-out', 'push'], { PUSH_ALLOWED_HOSTS: service.url });
    const raw = startPart<EncryptMany>('./baselines/encrypt-many.ts');
    await product.addContacts(count, () => ({}));
    const browser = createECDH('prime256v1');
    const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
    const subscriptions = Array.from({ length: count }, (_, n) => ({
      _id: `browser-${n}`,
      ...SCHOOL,
      user_id: personId(n),
      endpoint: `${service.url}/push/${n}`,
      keys,
      created_at: new Date(),
    }));
    await product.database.collection('push_subscriptions').insertMany(subscriptions as never);
    await product.chooseChannels('event.published', ['push']);
    return {
      raw: { [RAW]: () => raw.run({ count, keys }) },
      async ours() {
        const before = product.usage();
        const already = service.count();
        const { publishedAt } = await product.publishNew();
        const ms = await untilTrue(async () => service.count() - already >= count, publishedAt);
        const usage = usedBetween(before, product.usage());
        return { count, ms, usage };
      },
      async end() {
        raw.stop();
        await product.end();
        service.stop();
      },
    };
  },
};
