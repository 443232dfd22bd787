import { Queue } from 'bullmq';
import type { Fact } from '../facts/fact.ts';
import type { FactQueue } from '../facts/ports.ts';
import type { DeliveryQueue } from '../notifications/ports.ts';
import { FREES_SEATS } from '../registrations/waitlist.ts';
import { isReady, producerConnection, type QueueSettings, within } from './connection.ts';
import { gatheredFloods } from './floods.ts';
import { QUEUE_OF, type QueueName } from './names.ts';

export type Publisher = {
  factQueue: FactQueue;
  deliveryQueue: DeliveryQueue;
  ping(): Promise<'ok' | string>;
  /** Why this Redis must not be used, if anything: it may throw wake-ups away on its own only if nothing else does. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
};

const ADD_WITHIN_MS = 3_000;
const BOOT_WITHIN_MS = 10_000;
/** Bulk goes behind everything without a priority, which is BullMQ's order. */
const BULK_PRIORITY = 10;

/** Facts that come in floods at the full hour: they go behind those that people or their reminders wait for. */
const BY_THE_CLOCK: readonly Fact['type'][] = ['event.started', 'event.completed'];

/** Adds wake-ups. Every call settles within seconds: one that fails is made good by the reconciler. */
export function publisher(settings: QueueSettings): Publisher {
  const connection = producerConnection(settings);
  const queues = new Map<QueueName, Queue>();
  const queue = (name: QueueName): Queue => {
    const known = queues.get(name);
    if (known) return known;
    const made = new Queue(name, {
      connection,
      prefix: settings.prefix,
      skipWaitingForReady: true,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    made.on('error', () => {});
    queues.set(name, made);
    return made;
  };
  const counts = async (name: QueueName) => {
    const jobs = await within(ADD_WITHIN_MS, queue(name).getJobCounts('wait', 'active', 'prioritized', 'delayed'));
    const of = (state: string): number => jobs[state] ?? 0;
    return { urgent: of('wait'), bulk: of('prioritized'), active: of('active') + of('delayed') };
  };

  return {
    factQueue: {
      async handOn(facts) {
        const jobOf = ({ id }: { id: string }) => ({ name: 'fact', data: { factId: id }, opts: { jobId: id } });
        const inLine = gatheredFloods(facts).map((fact) => {
          const { opts, ...job } = jobOf(fact);
          const data = fact.others.length > 0 ? { ...job.data, others: fact.others } : job.data;
          return { ...job, data, opts: BY_THE_CLOCK.includes(fact.type) ? { ...opts, priority: BULK_PRIORITY } : opts };
        });
        await within(ADD_WITHIN_MS, queue('fan-out').addBulk(inLine));
        const freeing = facts.filter((fact) => FREES_SEATS.includes(fact.type));
        if (freeing.length > 0) await within(ADD_WITHIN_MS, queue('waitlist').addBulk(freeing.map(jobOf)));
      },
      async isIdle() {
        const { urgent, bulk, active } = await counts('fan-out');
        return urgent + bulk + active === 0;
      },
    },
    deliveryQueue: {
      async add(channel, groups) {
        const jobs = groups.map(({ ids, urgent }) => ({
          name: 'deliver',
          data: { ids },
          opts: urgent ? {} : { priority: BULK_PRIORITY },
        }));
        await within(ADD_WITHIN_MS, queue(QUEUE_OF[channel]).addBulk(jobs));
      },
      depth: (channel) => counts(QUEUE_OF[channel]),
    },
    ping: () =>
      within(2_000, connection.ping()).then(
        () => 'ok',
        () => 'Redis does not answer',
      ),
    async faults() {
      const info = await within(
        BOOT_WITHIN_MS,
        isReady(connection).then(() => connection.info('memory')),
      ).catch(() => null);
      if (info === null) return ['Redis does not answer'];
      const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1];
      return policy && policy !== 'noeviction'
        ? [`Redis evicts keys (maxmemory-policy ${policy}): set it to noeviction`]
        : [];
    },
    async close() {
      for (const made of queues.values()) await within(1_000, made.close()).catch(() => {});
      connection.disconnect();
    },
  };
}
