import { Gauge } from 'prom-client';
import { PRIORITIES } from '../core/priority.ts';
import type { WakeUps } from '../core/wake-ups.ts';
import type { FactQueue } from '../outbox/ports.ts';
import { publishRecorded } from '../outbox/relay.ts';
import { QUEUED_CHANNELS, type QueuedChannel } from '../people/channels.ts';
import type { QueueSettings } from '../queues/connection.ts';
import { type BothPriorities, consumeBothPriorities } from '../queues/consumer.ts';
import { publisher, remoteWakeUps } from '../queues/publisher.ts';
import { parseRedisUrl } from '../queues/redis-url.ts';
import type { Config } from './config/config.ts';
import { outageLog } from './outage-log.ts';
import { BootRefused, oncePerProcess, type ProcessContext } from './process.ts';
import { openStores } from './stores.ts';
import { traceQueue } from './tracing/traced.ts';

/** The wake-up queues in Redis, checked at start. */
export const openQueues = oncePerProcess(async (context: ProcessContext<'mongo' | 'redis'>) => {
  const settings = loggedSettings(context);
  const queues = publisher(settings);
  context.own({ name: 'queues', ready: queues.ping, ...followWrites(context, queues) });
  const faults = await queues.faults();
  if (faults.length > 0) throw new BootRefused(faults.join('; '));
  return {
    settings,
    factQueue: traced(context, queues.factQueue),
    deliveryQueue: queues.deliveryQueue,
    /** Starts consumers of both priorities of a queue, which the caller closes. */
    consume: <Payload>(options: Omit<BothPriorities<Payload>, 'settings' | 'log'>) =>
      consumeBothPriorities({ ...options, settings, log: (event, details) => context.log.warn(details, event) }),
  };
});

/**
 * Right after each commit, queues the facts that this process has recorded and wakes the loops of all processes; the loops
 * find what was lost. Redis may be unreachable at any time, even at the start.
 */
export const publishAfterCommit = oncePerProcess(async (context: ProcessContext<'mongo' | 'redis'>): Promise<void> => {
  const { facts, database } = await openStores(context);
  const { factQueue, wake, faults, ...queues } = publisher(loggedSettings(context));
  context.own({ name: 'fact queue', ...followWrites(context, queues) });
  void faults().then((found) => found.length > 0 && context.log.error({ why: found.join('; ') }, 'queue.unusable'));
  const queue = traced(context, factQueue);
  // The relay publishes the others.
  facts.onRecorded((recorded) => publishRecorded(queue, recorded).catch(() => {}));
  database.work.subscribe(wake);
});

/** Wake-ups of all processes, over one connection of this process. */
export const openWakeUps = oncePerProcess((context: ProcessContext<'mongo' | 'redis'>): WakeUps => {
  const { close, ...wakeUps } = remoteWakeUps(loggedSettings(context));
  context.own({ name: 'wake-ups', close });
  return wakeUps;
});

const outageLogOf = oncePerProcess(({ log }: Pick<ProcessContext, 'log'>) => outageLog(log, 'redis'));

/** The settings of connections whose outages the log of the process shows. */
const loggedSettings = (context: ProcessContext<'mongo' | 'redis'>): QueueSettings => ({
  ...queueSettings(context.config),
  onConnection: outageLogOf(context),
});

/** How often a process looks whether Redis takes writes: each look is a command to Redis, also when nothing else happens. */
const LOOK_EVERY_MS = 10_000;

/** Shows in log and health that Redis takes no writes, as one that is full or hangs while its connections stay open. */
function followWrites(context: ProcessContext, { ping, close }: Pick<ReturnType<typeof publisher>, 'ping' | 'close'>) {
  let answer = 'ok';
  const timer = setInterval(async () => {
    answer = await ping();
    outageLogOf(context)(ping, answer === 'ok', answer);
  }, LOOK_EVERY_MS);
  return {
    details: (): Record<string, string> => (answer === 'ok' ? {} : { redis: answer }),
    stop: () => clearInterval(timer),
    close,
  };
}

const traced = ({ tracer }: Pick<ProcessContext, 'tracer'>, queue: FactQueue): FactQueue =>
  tracer ? traceQueue(tracer, queue) : queue;

/**
 * All queues of one installation share a prefix derived from its database; two installations on one Redis must not, because
 * a wake-up taken by the other one is lost. In a cluster the prefix is a hash tag, because BullMQ's scripts write several keys.
 */
export function queueSettings({ mongo, redis }: Pick<Config<'mongo' | 'redis'>, 'mongo' | 'redis'>): QueueSettings {
  const prefix = redis.prefix ?? `schoolbell-${databaseNameOf(mongo.uri)}`;
  return { url: redis.url, prefix: parseRedisUrl(redis.url).cluster ? `{${prefix}}` : prefix };
}

/** The name in `mongodb://host,host/name?options`, by default `test`, reduced to the characters of a key. */
function databaseNameOf(uri: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1] ?? 'test';
  return name.replace(/[^\w-]/g, '_');
}

/** A queue's depth as a gauge, read when the metrics are collected. */
export function gaugeDepths(
  context: Pick<ProcessContext<'redis'>, 'metrics'>,
  depth: (channel: QueuedChannel) => Promise<{ urgent: number; bulk: number }>,
) {
  new Gauge({
    name: 'schoolbell_queue_jobs',
    help: 'Jobs on a channel’s queue, by priority',
    labelNames: ['channel', 'priority'],
    registers: [context.metrics],
    async collect() {
      const depths = await Promise.all(QUEUED_CHANNELS.map((channel) => depth(channel).catch(() => null)));
      this.reset();
      for (const [at, channel] of QUEUED_CHANNELS.entries())
        for (const priority of PRIORITIES) {
          const jobs = depths[at]?.[priority];
          if (jobs !== undefined) this.set({ channel, priority }, jobs);
        }
    },
  });
}
