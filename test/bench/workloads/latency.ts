import { type Delivery, OPEN_STATUSES } from '../../../src/notifications/delivery.ts';
import { personId, SCHOOL, startProduct, untilTrue, withEmail } from '../product.ts';
import { figure, type Run, type Workload } from '../workload.ts';

/** The first requests compile texts and open connections. */
const WARM_UP = 5;
const OPEN = { $in: [...OPEN_STATUSES] };

/**
 * The time from a request to its e-mail, one at a time on a quiet installation: an announcement for one person, and the
 * confirmation of a registration.
 */
export const latency: Workload = {
  name: 'latency',
  about: 'from a request to its e-mail accepted by the SMTP server, one at a time; hops are medians since the request',
  goals: [
    figure('publish p50 ms', { minimum: 60, goal: 40, lowerIsBetter: true }),
    figure('publish p99 ms', { minimum: 200, goal: 120, lowerIsBetter: true }),
    figure('confirmation p99 ms', { minimum: 150, goal: 100, lowerIsBetter: true }),
  ],
  forms: { full: { count: Number(process.env.COUNT ?? 200), rounds: 1 }, short: null },
  async open({ count }) {
    const product = await startProduct(['relay', 'fan-out', 'email', 'waitlist', 'clock']);
    await product.chooseChannels('event.published', ['email']);
    const open = await product.draft({ registration_type: 'optional' });
    await product.publish(open);
    const deliveries = product.database.collection('deliveries');
    /** Otherwise an e-mail of an earlier request would end a sample. */
    const untilSent = () =>
      untilTrue(async () => (await deliveries.countDocuments({ status: OPEN })) === 0, performance.now());
    const facts = product.database.collection('facts').find({ event_id: open, type: 'event.published' });
    await untilTrue(async () => (await facts.clone().toArray()).every(({ relay }) => !relay), performance.now());
    let people = 1;
    await product.addContacts(people, withEmail);

    async function measure(request: () => Promise<unknown>): Promise<Sample> {
      await untilSent();
      const accepted = product.sinkReaches(product.sinkCount() + 1);
      const [began, from] = [Date.now(), performance.now()];
      const answered = request().then(() => performance.now() - from);
      await accepted;
      const sent = performance.now() - from;
      const last = await deliveries.findOne({ channel: 'email' }, { sort: { created_at: -1 } });
      const drafted = (last as unknown as Pick<Delivery, 'created_at'>).created_at.getTime() - began;
      return { answered: await answered, drafted, sent };
    }

    async function measureAll(name: string, prepare: () => Promise<() => Promise<unknown>>) {
      for (let n = 0; n < WARM_UP; n += 1) await measure(await prepare());
      const samples: Sample[] = [];
      for (let n = 0; n < count; n += 1) samples.push(await measure(await prepare()));
      const at = (part: number, hop: keyof Sample) =>
        samples.map((sample) => sample[hop]).sort((a, b) => a - b)[Math.floor((count - 1) * part)] ?? Number.NaN;
      return {
        [`${name} answered`]: at(0.5, 'answered'),
        [`${name} drafted`]: at(0.5, 'drafted'),
        [`${name} p50 ms`]: at(0.5, 'sent'),
        [`${name} p99 ms`]: at(0.99, 'sent'),
      };
    }

    /** @returns the registration of one more person */
    async function registration() {
      people += 1;
      const user_id = personId(people - 1);
      await product.addContacts(people, withEmail);
      const token = await product.token({ ...SCHOOL, user_id, roles: ['student'] });
      return async () => {
        const response = await fetch(`${product.apiUrl}/api/v1/operations/events/${open}/registrations`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"kind":"attendee"}',
        });
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      };
    }
    return {
      raw: {},
      async ours(): Promise<Run> {
        const from = performance.now();
        const published = await measureAll('publish', async () => {
          const id = await product.draft({ visibility: 'restricted', restricted_to: { user_ids: [personId(0)] } });
          return () => product.publish(id);
        });
        const figures = { ...published, ...(await measureAll('confirmation', registration)) };
        return { count: 2 * count, ms: performance.now() - from, figures };
      },
      end: product.end,
    };
  },
};

/** Milliseconds from the request to its answer, to the draft of its e-mail and to the accepted e-mail. */
type Sample = { answered: number; drafted: number; sent: number };
