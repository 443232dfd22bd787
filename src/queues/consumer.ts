import { DelayedError, Worker } from 'bullmq';
import type { Priority } from '../core/priority.ts';
import { consumerConnection, type QueueSettings, within } from './connection.ts';
import { type QueueName, queueNameOf } from './names.ts';
import type { Read } from './payloads.ts';

export type ConsumerOptions<Payload extends { tenant_id: string }> = {
  queue: QueueName;
  priority: Priority;
  settings: QueueSettings;
  /** jobs worked on at once */
  concurrency: number;
  read(data: unknown): Read<Payload>;
  /** @returns what is left, if anything: the job yields to the others and goes to the end of the queue */
  work(payload: Payload): Promise<Payload | undefined>;
  /** `job.malformed`, `job.newer`, `job.failed`, `queue.error`, with the queue's name and never a payload */
  log(event: string, details: Record<string, unknown>): void;
};

export type Consumer = {
  /** Takes no more jobs and awaits those at work; gives up on Redis, not on the jobs. */
  close(): Promise<void>;
  ready(): Promise<'ok' | string>;
};

/** How soon the jobs of a killed process are taken over; the lease on each row is what keeps two from sending it. */
const LOCK_MS = 8_000;
const STALLED_EVERY_MS = 3_000;
const CLOSE_REDIS_MS = 2_000;
/** How soon a failed command to Redis is tried again: after its return, or when it has memory again. */
const RETRY_MS = 1_000;
/** How long a job of a newer version is put aside for a newer process. */
const NEWER_AGAIN_MS = 30_000;

/**
 * Works on the jobs of one queue. A job is a wake-up and nothing more: it is removed whether its work succeeded or not,
 * since what is left undone stands in MongoDB and is found there.
 */
export function consumer<Payload extends { tenant_id: string }>(options: ConsumerOptions<Payload>): Consumer {
  const { queue, log } = options;
  const connection = consumerConnection(options.settings);
  const atWork = new Set<Promise<unknown>>();
  const name = queueNameOf(queue, options.priority);
  const worker = new Worker(
    name,
    async (job, token) => {
      const payload = options.read(job.data);
      if (payload === null) {
        log('job.malformed', { queue, jobId: job.id });
        return;
      }
      if (payload === 'newer') {
        // Not ours to judge: what it names is found in MongoDB too, should no newer process ever come.
        log('job.newer', { queue, jobId: job.id });
        await job.moveToDelayed(Date.now() + NEWER_AGAIN_MS, token);
        throw new DelayedError();
      }
      const work = options.work(payload).catch((error: Error) => {
        log('job.failed', { queue, jobId: job.id, error: error.name, message: error.message });
        throw error;
      });
      const tracked = work.catch(() => {});
      atWork.add(tracked);
      const left = await work.finally(() => atWork.delete(tracked));
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
      // A job whose worker dies is handed to another however often that happens; rows count crashes, jobs don't.
      maxStalledCount: 1_000_000,
      drainDelay: 1,
      runRetryDelay: RETRY_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  let lastError = '';
  worker.on('error', (error) => {
    // One line per kind of trouble, not one per reconnection.
    if (error.message !== lastError) log('queue.error', { queue, error: error.name, message: error.message });
    lastError = error.message;
  });
  worker.on('active', () => {
    lastError = '';
  });
  return {
    ready: async () => (connection.status === 'ready' ? 'ok' : 'Redis does not answer'),
    async close() {
      const closing = within(CLOSE_REDIS_MS, worker.pause(true)).catch(() => {});
      await closing;
      await Promise.all(atWork);
      await within(CLOSE_REDIS_MS, worker.close()).catch(() =>
        within(CLOSE_REDIS_MS, worker.close(true)).catch(() => {}),
      );
      connection.disconnect();
    },
  };
}
