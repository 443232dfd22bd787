import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { Queue } from 'bullmq';
import { PRIORITIES } from '../core/priority.ts';
import { producerConnection, type QueueSettings, within } from './connection.ts';
import { QUEUES, queueNameOf } from './names.ts';

const CLOSE_MS = 1_000;

/**
 * Bull Board: pages that show the queues and their jobs. It checks no permission.
 * @param path the path of its pages
 */
export function queueBoard(settings: QueueSettings, path: string) {
  const connection = producerConnection(settings);
  const names = QUEUES.flatMap((queue) => PRIORITIES.map((priority) => queueNameOf(queue, priority)));
  const queues = names.map(
    (name) =>
      new Queue(name, { connection, prefix: settings.prefix, skipWaitingForReady: true, skipVersionCheck: true }),
  );
  for (const queue of queues) queue.on('error', () => {});
  const serverAdapter = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Schoolbell', hideDocsLink: true } },
  });
  return {
    plugin: serverAdapter.registerPlugin(),
    async close() {
      for (const queue of queues) await within(CLOSE_MS, queue.close()).catch(() => {});
      connection.disconnect();
    },
  };
}
