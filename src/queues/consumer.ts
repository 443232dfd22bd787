import { DelayedError, Worker } from 'bullmq';
import { PRIORITIES, type Priority } from '../core/priority.ts';
import { consumerConnection, isOutage, type QueueSettings, within } from './connection.ts';
import { type QueueName, queueNameOf, type Read } from './names.ts';

type ConsumerOptions<Payload> = {
  queue: QueueName;
  priority: Priority;
  settings: QueueSettings;
  /** jobs run at the same time */
  concurrency: number;
  read(data: unknown): Read<Payload>;
  /** @returns the payload that is left, if any: the job then goes to the end of the queue */
  work(payload: Payload, priority: Priority): Promise<Payload | undefined>;
  /** `job.malformed`, `job.newer`, `job.failed`, `queue.error`, with the queue's name and never a payload */
  log(event: string, details: Record<string, unknown>): void;
};

export type Consumer = {
  /** Takes no more jobs and awaits the running ones; waits for Redis only briefly. */
  close(): Promise<void>;
  ready(): Promise<'ok' | string>;
};

export type BothPriorities<Payload> = Omit<ConsumerOptions<Payload>, 'priority'>;

/** Consumes both priorities of a queue, each with its own concurrency. */
export const consumeBothPriorities = <Payload>(options: BothPriorities<Payload>) =>
  asOne(PRIORITIES.map((priority) => consumer({ ...options, priority })));

/** Several consumers as one. They close at the same time, because each may have to wait for Redis. */
export function asOne(consumers: readonly Consumer[]): Consumer {
  return {
    ready: async () =>
      (await Promise.all(consumers.map((one) => one.ready()))).find((answer) => answer !== 'ok') ?? 'ok',
    async close() {
      await Promise.all(consumers.map((one) => one.close()));
    },
  };
}

/** How soon the jobs of a killed process are taken over; leases on the deliveries prevent double sending. */
const LOCK_MS = 8_000;
const STALLED_EVERY_MS = 10_000;
/**
 * How long an idle consumer waits for a job before it looks for one whose wake-up was lost. Shorter than the 10 s in which
 * work resumes after Redis was away.
 */
const IDLE_WAIT_S = 8;
const CLOSE_REDIS_MS = 2_000;
/** How soon a failed Redis command is retried, e.g. after a restart or when Redis has memory again. */
const RETRY_MS = 1_000;
/** Delay of a job of a newer version, which a newer process should take. */
const NEWER_AGAIN_MS = 30_000;

/**
 * Runs the jobs of one queue. A job is only a wake-up: it is removed even if its work fails, because unfinished work is
 * recorded in MongoDB and found there.
 */
export function consumer<Payload>(options: ConsumerOptions<Payload>): Consumer {
  const { queue, log } = options;
  const connection = consumerConnection(options.settings);
  const running = new Set<Promise<unknown>>();
  const name = queueNameOf(queue, options.priority);
  const worker = new Worker(
    name,
    async (job, token) => {
      const payload = options.read(job.data);
      if (payload === null) return log('job.malformed', { queue, jobId: job.id });
      if (payload === 'newer') {
        // If no newer process ever starts, the work is still found in MongoDB.
        log('job.newer', { queue, jobId: job.id });
        await job.moveToDelayed(Date.now() + NEWER_AGAIN_MS, token);
        throw new DelayedError();
      }
      const work = options.work(payload, options.priority).catch((error: Error) => {
        log('job.failed', { queue, jobId: job.id, error });
        throw error;
      });
      const tracked = work.catch(() => {});
      running.add(tracked);
      const left = await work.finally(() => running.delete(tracked));
      if (!left) return;
      await job.updateData(left);
      // A delayed job joins the end of the queue; `moveToWait` would put it at the front.
      await job.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    },
    {
      connection,
      prefix: options.settings.prefix,
      concurrency: options.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_EVERY_MS,
      // A job may be taken over any number of times, because deliveries count crashes themselves.
      maxStalledCount: 1_000_000,
      drainDelay: IDLE_WAIT_S,
      runRetryDelay: RETRY_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  let lastError = '';
  worker.on('error', (error) => {
    if (error.message !== lastError && !isOutage(error)) log('queue.error', { queue, error });
    lastError = error.message;
  });
  return {
    ready: async () => (connection.status === 'ready' ? 'ok' : 'Redis does not answer'),
    async close() {
      await within(CLOSE_REDIS_MS, worker.pause(true)).catch(() => {});
      await Promise.all(running);
      await within(CLOSE_REDIS_MS, worker.close()).catch(() =>
        within(CLOSE_REDIS_MS, worker.close(true)).catch(() => {}),
      );
      connection.disconnect();
    },
  };
}
